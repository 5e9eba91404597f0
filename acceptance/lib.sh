# Shared by the acceptance scripts: where the tool is, and how trees are compared.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
COFFER=${COFFER:-$HERE/../coffer}
BACKENDS=${BACKENDS:-log sqlite duckdb}
WORK=$(mktemp -d "${TMPDIR:-/tmp}/coffer-acceptance.XXXXXX")
trap 'chmod -R u+rwX "$WORK" 2>/dev/null; rm -rf "$WORK"' EXIT

say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

# Every path of a tree with its type, mode, time in ns, length and link target, in byte order.
listing() {
  (cd "$1" && find . -mindepth 1 \( -type d -printf '%p\0d %m %T@\0' -o -type l -printf '%p\0l %l\0' \
    -o -printf '%p\0%y %m %T@ %s\0' \) | paste -zd '\t' - - | LC_ALL=C sort -z)
}

same_trees() {
  diff -r --no-dereference "$1" "$2" >/dev/null || fail "content differs: $1 $2"
  cmp -s <(listing "$1") <(listing "$2") || {
    diff <(listing "$1" | tr '\0' '\n') <(listing "$2" | tr '\0' '\n') | head -5 >&2
    fail "names, times, modes or links differ: $1 $2"
  }
}
