#!/usr/bin/env bash
# Flips one byte of a store at a time: either verify and extract both report the damage (and say what
# is lost), or nothing that they return has changed. Never a silent difference.
# usage: acceptance/flips.sh TREE [COUNT] [SEED]
. "$(dirname "$0")/lib.sh"
tree=${1:?usage: $0 TREE [COUNT] [SEED]}
count=${2:-100}
seed=${3:-1}
listing "$tree" > "$WORK/tree.txt"
say "seed=$seed flips=$count tree=$tree"

for backend in $BACKENDS; do
  "$COFFER" pack "$WORK/good" --backend "$backend" -C "$tree" . --quiet
  size=$(stat -c %s "$WORK/good")
  found=0 harmless=0 silent=0
  RANDOM=$seed
  for i in $(seq "$count"); do
    offset=$(((RANDOM * 32768 * 32768 + RANDOM * 32768 + RANDOM) % size))
    bit=$((1 << (RANDOM % 8)))
    cp "$WORK/good" "$WORK/bad"
    byte=$(od -An -tu1 -j "$offset" -N 1 "$WORK/bad" | tr -d ' ')
    printf "\\x$(printf %02x $((byte ^ bit)))" | dd of="$WORK/bad" bs=1 seek="$offset" conv=notrunc status=none
    rm -rf "$WORK/out"
    verified=0 extracted=0
    "$COFFER" verify "$WORK/bad" > "$WORK/verify.txt" 2>&1 || verified=$?
    "$COFFER" extract "$WORK/bad" -d "$WORK/out" > "$WORK/extract.txt" 2>&1 || extracted=$?
    if grep -qE '^\s+at |Exception in thread|SIGSEGV|SIGBUS' "$WORK/verify.txt" "$WORK/extract.txt"; then
      say "stack trace or crash: backend=$backend offset=$offset bit=$bit"
      silent=$((silent + 1))
    elif [ "$verified" -ne 0 ] && [ "$extracted" -ne 0 ]; then
      found=$((found + 1))
    elif [ "$extracted" -eq 0 ] && cmp -s "$WORK/tree.txt" <(listing "$WORK/out"); then
      harmless=$((harmless + 1))
    elif [ "$extracted" -ne 0 ]; then
      say "extract reports what verify does not: backend=$backend offset=$offset bit=$bit"
      silent=$((silent + 1))
    else
      say "SILENT: backend=$backend offset=$offset bit=$bit verify=$verified extract=$extracted"
      silent=$((silent + 1))
    fi
  done
  say "backend=$backend flips=$count reported=$found harmless=$harmless wrong=$silent"
  [ "$silent" -eq 0 ] || bad=1
  rm -f "$WORK/good"
done
[ -z "${bad:-}" ]
