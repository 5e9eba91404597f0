#!/usr/bin/env bash
# Whole-command figures of the archive tool beside its peers, alternating, JVM start included.
# usage: bench/archive.sh TREE [ROUNDS]
# Peers need Debian's zstd, zip, unzip, p7zip-full, squashfs-tools, sqlite3; those missing are left out.
# TOOLS="coffer-log tar-zstd" restricts it; SLOW=1 adds coffer-best, tar-zstd19 and 7z, which take a minute to pack
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
COFFER=${COFFER:-$HERE/../coffer}
tree=$(cd "${1:?usage: $0 TREE [ROUNDS]}" && pwd)
rounds=${2:-3}
work=$(mktemp -d "${TMPDIR:-/tmp}/coffer-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
file=$(cd "$tree" && find . -type f -size +2k | LC_ALL=C sort | awk '{a[NR]=$0} END {print a[int(NR/2)]}')
file=${file#./}

have() { command -v "$1" >/dev/null; }
tools=(coffer-log coffer-sqlite coffer-duckdb)
have zstd && tools+=(tar-zstd)
have zip && have unzip && tools+=(zip)
have mksquashfs && tools+=(squashfs)
have sqlite3 && tools+=(sqlar)
if [ -n "${SLOW:-}" ]; then
  tools+=(coffer-best)
  have zstd && tools+=(tar-zstd19)
  have 7z && tools+=(7z)
fi
[ -n "${TOOLS:-}" ] && read -r -a tools <<< "$TOOLS"

# run TOOL ACTION: one action of one tool on $work/TOOL
run() {
  local a=$work/$1
  case $1:$2 in
    coffer-best:pack) "$COFFER" pack "$a" --best -C "$tree" . --quiet ;;
    coffer-*:pack) "$COFFER" pack "$a" --backend "${1#coffer-}" -C "$tree" . --quiet ;;
    coffer-*:extract) "$COFFER" extract "$a" -d "$work/out" --quiet ;;
    coffer-*:list) "$COFFER" ls -R "$a" ;;
    coffer-*:one) "$COFFER" cat "$a" "$file" ;;
    coffer-*:change) "$COFFER" put "$a" "$file" "$tree/$file" ;;
    tar-zstd:pack) tar -C "$tree" -c . | zstd -q -3 -T2 -o "$a" ;;
    tar-zstd19:pack) tar -C "$tree" -c . | zstd -q -19 -T2 -o "$a" ;;
    tar-zstd*:extract) mkdir "$work/out" && zstd -qdc "$a" | tar -C "$work/out" -x ;;
    tar-zstd*:list) zstd -qdc "$a" | tar -t ;;
    tar-zstd*:one) zstd -qdc "$a" | tar -xO "./$file" ;;
    zip:pack) (cd "$tree" && zip -q -6 -r -y "$a.zip" .) && mv "$a.zip" "$a" ;;
    zip:extract) unzip -q "$a" -d "$work/out" ;;
    zip:list) unzip -Z1 "$a" ;;
    zip:one) unzip -p "$a" "$file" ;;
    zip:change) (cd "$tree" && cp "$a" "$a.zip" && zip -q "$a.zip" "$file" && mv "$a.zip" "$a") ;;
    7z:pack) (cd "$tree" && 7z a -bd -snl "$a.7z" . && mv "$a.7z" "$a") ;;
    7z:extract) 7z x -bd -o"$work/out" "$a" ;;
    7z:list) 7z l -bd "$a" ;;
    7z:one) 7z x -bd -so "$a" "$file" ;;
    7z:change) (cd "$tree" && cp "$a" "$a.7z" && 7z u -bd "$a.7z" "$file" && mv "$a.7z" "$a") ;;
    squashfs:pack) mksquashfs "$tree" "$a" -comp zstd -quiet -no-progress ;;
    squashfs:extract) unsquashfs -q -n -d "$work/out" "$a" ;;
    squashfs:list) unsquashfs -ls "$a" ;;
    squashfs:one) unsquashfs -cat "$a" "$file" ;;
    sqlar:pack) (cd "$tree" && sqlite3 "$a" -Ac .) ;;
    sqlar:extract) mkdir "$work/out" && sqlite3 "$a" -Ax -C "$work/out" ;;
    sqlar:list) sqlite3 "$a" -At ;;
    sqlar:one) sqlite3 "$a" "select length(sqlar_uncompress(data,sz)) from sqlar where name='./$file'" ;;
    sqlar:change) (cd "$tree" && sqlite3 "$a" -Au "./$file") ;;
    *) return 9 ;;
  esac
}

"$COFFER" --version >/dev/null # builds, if it must, outside the timers
for round in $(seq "$rounds"); do
  for action in pack extract list one change; do
    for tool in "${tools[@]}"; do
      [ "$action" = pack ] && rm -rf "$work/$tool"
      rm -rf "$work/out"
      start=$(date +%s%N)
      status=0
      run "$tool" "$action" >/dev/null 2>&1 || status=$?
      end=$(date +%s%N)
      [ "$status" = 9 ] && continue
      ms=$(((end - start) / 1000000))
      [ "$status" = 0 ] || ms=failed
      echo "$ms" >> "$work/$tool.$action.times"
    done
  done
done

echo "tree=$(basename "$tree") rounds=$rounds file=$file cores=$(nproc) $(uname -sr), $(java -version 2>&1 | head -1)"
echo
echo "| tool | size MB | pack s | extract s | list s | one file s | change s |"
echo "|---|---|---|---|---|---|---|"
for tool in "${tools[@]}"; do
  row="| $tool | $(awk "BEGIN {printf \"%.1f\", $(stat -c %s "$work/$tool") / 1e6}")"
  for action in pack extract list one change; do
    times=$work/$tool.$action.times
    if [ ! -f "$times" ]; then
      row="$row | –"
    elif grep -q failed "$times"; then
      row="$row | failed"
    else
      row="$row | $(sort -n "$times" | awk '{a[NR]=$1/1000} END {printf "%.2f (%.2f–%.2f)", a[int((NR+1)/2)], a[1], a[NR]}')"
    fi
  done
  echo "$row |"
done
