# Shared by the acceptance scripts: where the tool is, and how trees are compared.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
COFFER=${COFFER:-$HERE/../coffer}
BACKENDS=${BACKENDS:-log sqlite duckdb}
WORK=$(mktemp -d "${TMPDIR:-/tmp}/coffer-acceptance.XXXXXX")
trap 'chmod -R u+rwX "$WORK" 2>/dev/null; rm -rf "$WORK"' EXIT

say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

listing() { python3 "$HERE/listing.py" "$1"; }

same_trees() {
  listing "$1" > "$WORK/expected.txt"
  listing "$2" > "$WORK/found.txt"
  cmp -s "$WORK/expected.txt" "$WORK/found.txt" || {
    diff "$WORK/expected.txt" "$WORK/found.txt" | cut -c 1-300 | head -5 >&2
    fail "trees differ: $1 $2"
  }
}
