#!/usr/bin/env bash
# Writes to a store, kills the writer, checks what is left and goes on, for an hour; and watches what the
# writer takes: memory, handles, room on disk, and the time that opening after a kill takes.
# usage: [SOAK_SECONDS=3600] acceptance/soak.sh     KINDS="log folder" restricts, SEED=n repeats
. "$(dirname "$0")/endurance.sh"
seconds=${SOAK_SECONDS:-3600}
round=$((seconds / 20 < 5 ? 5 : seconds / 20))
bad=0

# The most and the last of a column of a file of numbers.
column() { awk -v c="$1" '{v = $c; if (v > m) m = v} END {printf "%d (last %d)", m, v}' "$2"; }

mkdir "$WORK/s"
for kind in $KINDS; do
  rm -rf "$WORK/s" && mkdir "$WORK/s"
  end=$((SECONDS + seconds / $(wc -w <<< "$KINDS")))
  kills=0
  : > "$WORK/samples"
  : > "$WORK/opens"
  while [ $SECONDS -lt $end ]; do
    "${endurance[@]}" write "$WORK/s/store" "$kind" "$SEED" PROCESS 1000000000 > "$WORK/acks" 2> "$WORK/err" &
    writer=$!
    stop=$((SECONDS + 1 + RANDOM % round))
    while [ $SECONDS -lt $stop ] && kill -0 $writer 2>/dev/null; do
      sleep 1
      anon=$(awk '/^RssAnon/ {print $2}' "/proc/$writer/status" 2>/dev/null || echo 0)
      handles=$(ls "/proc/$writer/fd" 2>/dev/null | wc -l)
      echo "${anon:-0} $handles $(du -sk "$WORK/s" | cut -f1)" >> "$WORK/samples"
    done
    kill -KILL $writer 2>/dev/null || { say "writer ended by itself: kind=$kind"; head -3 "$WORK/err"; bad=1; }
    wait $writer 2>/dev/null || true
    acks=$(acknowledged "$WORK/acks")
    start=$(date +%s%N)
    if ! "${endurance[@]}" check "$WORK/s/store" "$kind" "$SEED" "$acks" > "$WORK/check" 2>&1; then
      say "kind=$kind seed=$SEED acknowledged=$acks"
      grep -v '^ack' "$WORK/check" | head -5
      bad=1
      break
    fi
    echo $((($(date +%s%N) - start) / 1000000)) >> "$WORK/opens"
    kills=$((kills + 1))
  done
  say "$kind: seed=$SEED operations=$acks kills=$kills; most RssAnon kB $(column 1 "$WORK/samples"), handles $(column 2 "$WORK/samples"), disk kB $(column 3 "$WORK/samples"); check ms $(column 1 "$WORK/opens")"
done
exit $bad
