#!/usr/bin/env bash
# A round trip of a tree of names that break tools: spaces, quotes, newlines, leading dashes, NFC and
# NFD, emoji, 255-byte elements, a path of 4,096 bytes; with links, empty folders, odd modes and times.
. "$(dirname "$0")/lib.sh"

tree=$WORK/tree
mkdir -p "$tree"
cd "$tree"
n=0
for name in ' ' ' lead' 'trail ' 'a b' "it's" 'say "hi"' $'new\nline' $'tab\there' $'bell\a' '-rf' '--help' \
  'back\slash' 'star*' 'what?' '[x]' '{a,b}' '$HOME' '`id`' '%41' '%' '#frag' 'a;b' 'a&b' 'a|b' '~' '.hidden' '...' \
  $'caf\xc3\xa9' $'cafe\xcc\x81' 'ẞß' '日本語' '🦊' '👩‍👩‍👧' 'CON' 'nul.txt' 'a:b' 'UPPER' 'upper' \
  "$(printf 'x%.0s' {1..255})" "$(printf 'é%.0s' {1..127})"; do
  printf 'content of %s %d\n' "$name" $((n++)) > "./$name"
done
mkdir -p 'dir with spaces/-dash' $'dir\nnewline' empty 'deep/empty'
printf x > 'dir with spaces/-dash/f'
printf y > $'dir\nnewline/f'
ln -s 'a b' link; ln -s missing dangling; ln -s ../tree 'dir with spaces/up'; ln -s / absolute
head -c 600000 /dev/urandom > random.bin
head -c 3000000 /dev/zero > zeros.bin
: > nothing
chmod 0000 nothing; chmod 0751 random.bin; chmod 0555 'deep/empty'; chmod 0700 empty
touch -d '1969-07-20 20:17:40 UTC' zeros.bin
touch -d '2107-01-01 00:00:00.000000001 UTC' 'a b'
touch -h -d '2001-02-03 04:05:06.789 UTC' link
# A path of 4,096 bytes below the tree, made step by step since no system call takes it whole.
name_of() { printf "$2%.0s" $(seq "$1"); }
(
  for _ in $(seq 15); do mkdir "$(name_of 255 d)" && cd -P "./$(name_of 255 d)"; done
  mkdir "$(name_of 127 e)" && cd -P "./$(name_of 127 e)"
  printf deep > "$(name_of 128 f)"
)
touch -d '2020-05-05 05:05:05.5 UTC' empty
cd "$WORK"

for backend in $BACKENDS; do
  store=$WORK/odd.coffer
  rm -rf "$store" "$WORK/o"
  "$COFFER" pack "$store" --backend "$backend" -C "$tree" . --quiet
  "$COFFER" extract "$store" -d "$WORK/o" --quiet
  same_trees "$tree" "$WORK/o"
  "$COFFER" verify "$store" --quiet >/dev/null || fail "verify"
  say "ok: backend=$backend entries=$("$COFFER" ls -R --json "$store" | wc -l)"
done
