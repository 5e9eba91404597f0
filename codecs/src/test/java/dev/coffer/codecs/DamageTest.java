package dev.coffer.codecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.coffer.codecs.Samples.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged and hostile frames: a CodecException or some bytes in the range, and nothing else. */
class DamageTest {
  private static final int ROUNDS = 4000;
  private static final int MARGIN = 64;

  private final Random random = new Random(Samples.SEED);

  @Test
  void damagedFramesStayInTheirRange() throws Exception {
    int refused = 0;
    try (ZstdCodec codec = new ZstdCodec(0)) {
      byte[][] plains = {
        Samples.text(random, 200), Samples.text(random, 5000), new byte[70_000],
      };
      for (int round = 0; round < ROUNDS; round++) {
        byte[] plain = plains[round % plains.length];
        byte[] packed = damaged(ZstdCodecTest.pack(codec, plain, null));
        int asked = round % 5 == 0 ? random.nextInt(plain.length + 100) : plain.length;
        String what = "round=" + round + " seed=" + Samples.SEED;
        byte[] target = new byte[asked + 2 * MARGIN];
        Arrays.fill(target, (byte) 0x5A);
        try {
          codec.unpack(packed, 0, packed.length, target, MARGIN, asked, null);
        } catch (CodecException e) {
          refused++;
        }
        for (int i = 0; i < MARGIN; i++) {
          assertEquals(0x5A, target[i], what);
          assertEquals(0x5A, target[MARGIN + asked + i], what);
        }
      }
      assertTrue(refused > ROUNDS / 10, "refused=" + refused + " seed=" + Samples.SEED);
      assertArrayEquals(
          plains[1],
          ZstdCodecTest.unpack(codec, ZstdCodecTest.pack(codec, plains[1], null), 5000, null));
    }
  }

  @Test
  void damagedFramesStayInDirectBuffersToo() throws Exception {
    try (ZstdCodec codec = new ZstdCodec(0)) {
      byte[] plain = Samples.text(random, 3000);
      byte[] packed = ZstdCodecTest.pack(codec, plain, null);
      for (int round = 0; round < 1000; round++) {
        Kind from = round % 2 == 0 ? Kind.DIRECT : Kind.READ_ONLY_HEAP;
        ByteBuffer target = ByteBuffer.allocateDirect(plain.length + 2 * MARGIN);
        for (int i = 0; i < target.capacity(); i++) {
          target.put(i, (byte) 0x5A);
        }
        target.position(MARGIN).limit(MARGIN + plain.length);
        try {
          codec.unpack(from.holding(damaged(packed)), target, null);
        } catch (CodecException e) {
          assertEquals(MARGIN, target.position());
        }
        target.clear();
        for (int i = 0; i < MARGIN; i++) {
          String what = "round=" + round + " seed=" + Samples.SEED;
          assertEquals(0x5A, target.get(i), what);
          assertEquals(0x5A, target.get(MARGIN + plain.length + i), what);
        }
      }
    }
  }

  @Test
  void aFrameThatDeclaresSevenExabytesIsRefused() throws Exception {
    try (ZstdCodec codec = new ZstdCodec(0)) {
      // Descriptor: eight bytes of content size, single segment; the size; one empty last block.
      ByteBuffer frame = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
      frame.put((byte) 0xE0).putLong(7L << 60).put(new byte[] {1, 0, 0});
      CodecException e =
          assertThrows(
              CodecException.class, () -> ZstdCodecTest.unpack(codec, frame.array(), 1000, null));
      assertTrue(e.getMessage().contains("plainLength=1000"), e.getMessage());
    }
  }

  @Test
  void framesWithAMagicNumberAreNotOurs() throws Exception {
    try (ZstdCodec codec = new ZstdCodec(0)) {
      byte[] foreign = Zstd.compress(Samples.text(random, 1000));
      assertThrows(CodecException.class, () -> ZstdCodecTest.unpack(codec, foreign, 1000, null));
    }
  }

  private byte[] damaged(byte[] packed) {
    byte[] copy = packed.clone();
    int flips = 1 + random.nextInt(4);
    for (int i = 0; i < flips; i++) {
      copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(copy, random.nextInt(copy.length + 20)) : copy;
  }
}
