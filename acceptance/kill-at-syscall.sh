#!/usr/bin/env bash
# Kills a writer at each write, force, rename, link, unlink and truncate of its main thread in turn, while it
# runs a fixed script with several compactions and reopenings; or makes each force fail with EIO instead.
# Afterwards all that was acknowledged must be there, and nothing else. Needs strace.
# usage: acceptance/kill-at-syscall.sh [STRIDE]     1, every one, if left out; KINDS="log folder" restricts
. "$(dirname "$0")/endurance.sh"
stride=${1:-1}
operations=60
command -v strace >/dev/null || { say "skipped: no strace"; exit 0; }
strace -o /dev/null true 2>/dev/null || { say "skipped: strace may not trace here"; exit 0; }
calls="pwrite64 fdatasync fsync rename link unlink ftruncate"

# count CALL: how often one thread of the writer makes a system call, at most
count() {
  rm -rf "$WORK/s" && mkdir "$WORK/s"
  strace -f -q -o "$WORK/trace" -e "trace=$1" "${endurance[@]}" write "$WORK/s/store" "$kind" "$SEED" SYNC $operations > /dev/null 2>&1
  awk '{n[$1]++} END {m = 0; for (i in n) if (n[i] > m) m = n[i]; print m}' "$WORK/trace"
}

bad=0
# try CALL N INJECTION
try() {
  rm -rf "$WORK/s" && mkdir "$WORK/s"
  ( # Who dies is mentioned by the shell, hence not by this one.
    strace -f -q -o /dev/null -e "trace=$1" -e "inject=$1:$3:when=$2" \
      "${endurance[@]}" write "$WORK/s/store" "$kind" "$SEED" SYNC $operations > "$WORK/acks" || true
  ) 2> /dev/null
  local acks
  acks=$(acknowledged "$WORK/acks")
  tried=$((tried + 1))
  [ "$acks" -lt "$operations" ] && hit=$((hit + 1))
  if ! "${endurance[@]}" check "$WORK/s/store" "$kind" "$SEED" "$acks" > "$WORK/check" 2>&1; then
    bad=1 wrong=$((wrong + 1))
    say "kind=$kind seed=$SEED call=$1 when=$2 $3 acknowledged=$acks"
    grep -v '^ack' "$WORK/check" | head -5
  fi
}

mkdir "$WORK/s"
for kind in $KINDS; do
  tried=0 hit=0 wrong=0
  for call in $calls; do
    total=$(count "$call")
    for n in $(seq 1 "$stride" "$total"); do
      try "$call" "$n" signal=KILL
    done
  done
  say "$kind: kills=$tried of which the writer did not survive=$hit wrong=$wrong seed=$SEED"
  tried=0 hit=0 wrong=0
  total=$(count fdatasync)
  for n in $(seq 1 "$stride" "$total"); do
    try fdatasync "$n" error=EIO
  done
  say "$kind: failed forces=$tried of which stopped the writer=$hit wrong=$wrong seed=$SEED"
done
exit $bad
