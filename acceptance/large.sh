#!/usr/bin/env bash
# A file larger than the heap: half of it random, packed and extracted at -Xmx256m on every backend.
# usage: acceptance/large.sh [MIB]      default 5120 (5 GiB); needs about three times that on disk
. "$(dirname "$0")/lib.sh"
mib=${1:-5120}
export COFFER_JAVA_OPTS="${COFFER_JAVA_OPTS:-} -Xmx256m"

mkdir "$WORK/tree"
{
  for _ in $(seq $((mib / 128))); do
    head -c $((64 * 1024 * 1024)) /dev/urandom
    yes 'a line of text that packs rather well' | head -c $((64 * 1024 * 1024)) || true
  done
} > "$WORK/tree/large.bin"

for backend in $BACKENDS; do
  rm -rf "$WORK/l.coffer" "$WORK/out"
  start=$(date +%s.%N)
  "$COFFER" pack "$WORK/l.coffer" --backend "$backend" -C "$WORK/tree" . --quiet
  packed=$(date +%s.%N)
  "$COFFER" extract "$WORK/l.coffer" -d "$WORK/out" --quiet
  extracted=$(date +%s.%N)
  cmp "$WORK/tree/large.bin" "$WORK/out/large.bin" || fail "content differs"
  say "ok: backend=$backend plain=$(stat -c %s "$WORK/tree/large.bin") packed=$(stat -c %s "$WORK/l.coffer")" \
    "pack_s=$(echo "$packed - $start" | bc) extract_s=$(echo "$extracted - $packed" | bc) heap=256m"
done
