#!/usr/bin/env bash
# Cuts the power under a writer: an ext4 file system on a loop device is shut down without writing its
# journal, then mounted again. Everything acknowledged at SYNC must be there, nothing else, and the
# store must go on. Needs root, loop devices, mkfs.ext4, python3.
# usage: acceptance/powercut.sh [CUTS]      KINDS="log folder" restricts the kinds, SEED=n repeats a run
. "$(dirname "$0")/endurance.sh"
cuts=${1:-20}
skip() { say "skipped: $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip "not root"
command -v mkfs.ext4 >/dev/null || skip "no mkfs.ext4"
[ -e /dev/loop-control ] || skip "no loop devices"
mnt=$WORK/mnt
mkdir "$mnt"
trap 'umount "$mnt" 2>/dev/null; rm -rf "$WORK"' EXIT
truncate -s 1G "$WORK/disk"
mkfs.ext4 -q -F "$WORK/disk"
mount -o loop "$WORK/disk" "$mnt" 2>/dev/null || skip "cannot mount a loop device"
umount "$mnt"

# EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from here on nothing reaches the device.
cut_power() {
  python3 - "$mnt" <<'P'
import fcntl, os, struct, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
fcntl.ioctl(fd, 0x8004587D, struct.pack("I", 2))
P
}

RANDOM=$SEED
bad=0
for kind in $KINDS; do
  seed=$SEED done=0 lost=0
  mkfs.ext4 -q -F "$WORK/disk"
  for cut in $(seq "$cuts"); do
    mount -o loop "$WORK/disk" "$mnt"
    "${endurance[@]}" write "$mnt/store" "$kind" "$seed" SYNC 1000000 > "$WORK/acks" 2> "$WORK/err" &
    writer=$!
    until grep -q ^open "$WORK/acks" || ! kill -0 "$writer" 2>/dev/null; do sleep 0.05; done
    sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
    kill -STOP "$writer"
    cut_power
    kill -KILL "$writer"
    wait "$writer" 2>/dev/null || true
    umount "$mnt"
    mount -o loop "$WORK/disk" "$mnt"
    acks=$(acknowledged "$WORK/acks")
    if ! "${endurance[@]}" check "$mnt/store" "$kind" "$seed" "$acks" > "$WORK/check" 2>&1; then
      lost=$((lost + 1)) bad=1
      say "kind=$kind seed=$seed cut=$cut acknowledged=$acks"
      grep -v '^ack' "$WORK/check" | head -5
      cp -r "$mnt/store" "${TMPDIR:-/tmp}/powercut-$kind-$seed-$cut" 2>/dev/null || true
      rm -rf "$mnt"/store* "$mnt"/.store*
    fi
    done=$((done + 1))
    umount "$mnt"
  done
  say "$kind: power cuts=$done wrong=$lost last operation=$acks seed=$seed"
done
exit $bad
