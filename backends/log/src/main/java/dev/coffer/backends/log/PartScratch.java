package dev.coffer.backends.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Room to look rows up in parts, so that a look-up makes no garbage. Used by one thread at a time;
 * a few are kept for whoever comes next.
 */
final class PartScratch {
  private static final int KEPT = 16;
  private static final AtomicReferenceArray<PartScratch> POOL = new AtomicReferenceArray<>(KEPT);

  final byte[] line = new byte[PartLayout.LINE_LENGTH];
  final ByteBuffer slots = ByteBuffer.wrap(line).order(ByteOrder.LITTLE_ENDIAN);
  final PartCrc lineCrc = new PartCrc();
  final PartBlock block = new PartBlock();

  private PartScratch() {}

  private static int home() {
    return (int) (Row.mix(Thread.currentThread().getId()) & (KEPT - 1));
  }

  static PartScratch take() {
    int home = home();
    PartScratch kept = POOL.getPlain(home) == null ? null : POOL.getAndSet(home, null);
    return kept != null ? kept : new PartScratch();
  }

  /** Gives it back; it must not be used from now on. */
  void give() {
    block.trim();
    POOL.setRelease(home(), this);
  }
}
