package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.time.Instant;

/**
 * The meta bytes of an epoch record, whose number, like its header's epoch, is the epoch it starts.
 * The first record of every file is one; another follows whenever a tail was cut or given up, so
 * that what is left of it can never be taken for newer records.
 *
 * <pre>
 *   0         8       12       16          20         24         32
 *   +---------+-------+--------+-----------+----------+----------+
 *   | seconds | nanos | compat | ro-compat | incompat | sequence |
 *   +---------+-------+--------+-----------+----------+----------+
 * </pre>
 *
 * @param time when the epoch began
 * @param added features used from here on besides those of the file header
 * @param sequence the last commit before
 */
record EpochLayout(Instant time, Features added, long sequence) {

  static final int LENGTH = 32;

  byte[] encode() {
    BytesOut out = new BytesOut(LENGTH).u64(time.getEpochSecond()).u32(time.getNano());
    added.encode(out);
    return out.u64(sequence).toByteArray();
  }

  static EpochLayout decode(byte[] meta) throws StoreCorruptException {
    if (meta.length != LENGTH) {
      throw BytesIn.malformed(
          "of an epoch has a wrong length: expected=" + LENGTH + " found=" + meta.length);
    }
    BytesIn in = new BytesIn(meta);
    long seconds = in.u64();
    Instant time = Times.instant(seconds, in.u32());
    Features added = Features.decode(in);
    return new EpochLayout(time, added, in.u64());
  }
}
