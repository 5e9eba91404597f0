#!/usr/bin/env bash
# Packs trees, reads them back and changes one file, on every backend, and compares everything.
# usage: acceptance/roundtrip.sh TREE…       BACKENDS="log sqlite duckdb" chooses the backends
. "$(dirname "$0")/lib.sh"
[ $# -gt 0 ] || { echo "usage: $0 TREE…" >&2; exit 3; }

for tree in "$@"; do
  for backend in $BACKENDS; do
    store=$WORK/t.coffer
    rm -rf "$store" "$WORK/out"
    "$COFFER" pack "$store" --backend "$backend" -C "$tree" . --quiet
    "$COFFER" verify "$store" --quiet >/dev/null || fail "verify after pack"
    "$COFFER" extract "$store" -d "$WORK/out" --quiet
    diff -r --no-dereference "$tree" "$WORK/out" >/dev/null || fail "content differs"
    same_trees "$tree" "$WORK/out"

    file=$(cd "$tree" && find . -type f -size +0 | shuf -n 1)
    file=${file#./}
    "$COFFER" cat "$store" "$file" | cmp - "$tree/$file" || fail "cat differs: $file"

    printf 'changed' | "$COFFER" put "$store" "$file"
    [ "$("$COFFER" cat "$store" "$file")" = changed ] || fail "put did not change: $file"
    "$COFFER" verify "$store" --quiet >/dev/null || fail "verify after put"
    say "ok: tree=$(basename "$tree") backend=$backend bytes=$(stat -c %s "$store")"
  done
done
