package dev.coffer.codecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.codecs.Samples.Kind;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RawCodecTest {
  private final RawCodec codec = new RawCodec();

  @Test
  void neverShrinks() {
    assertEquals(Codec.NOT_SHRUNK, codec.pack(new byte[100], 0, 100, new byte[200], 0, null));
    ByteBuffer plain = ByteBuffer.allocate(100);
    assertEquals(Codec.NOT_SHRUNK, codec.pack(plain, ByteBuffer.allocate(200), null));
    assertEquals(0, plain.position());
  }

  @Test
  void copiesExactly() throws Exception {
    byte[] target = {9, 9, 9, 9, 9};
    codec.unpack(new byte[] {1, 2, 3, 4}, 1, 2, target, 2, 2, null);
    assertArrayEquals(new byte[] {9, 9, 2, 3, 9}, target);
    for (Kind from : Kind.values()) {
      for (Kind to : Kind.WRITABLE) {
        ByteBuffer plain = to.holding(new byte[3]);
        codec.unpack(from.holding(new byte[] {1, 2, 3}), plain, null);
        assertEquals(plain.limit(), plain.position());
        assertArrayEquals(new byte[] {0x5A, 1, 2, 3, 0x5A}, Samples.slice(plain, 6, 11));
      }
    }
  }

  @Test
  void refusesAnotherLength() {
    CodecException e =
        assertThrows(
            CodecException.class, () -> codec.unpack(new byte[4], 0, 3, new byte[9], 0, 4, null));
    assertTrue(e.getMessage().contains("plainLength=4 found=3"), e.getMessage());
    ByteBuffer plain = ByteBuffer.allocate(5);
    assertThrows(CodecException.class, () -> codec.unpack(ByteBuffer.allocate(6), plain, null));
    assertEquals(0, plain.position());
  }

  @Test
  void keepsToItsRanges() {
    byte[] bytes = new byte[4];
    assertThrows(
        IndexOutOfBoundsException.class, () -> codec.unpack(bytes, 3, 2, bytes, 0, 2, null));
    assertThrows(IndexOutOfBoundsException.class, () -> codec.pack(bytes, 0, 5, bytes, 0, null));
  }
}
