package dev.coffer.codecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.coffer.codecs.Samples.Kind;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdCodecTest {
  private static final int MIB = 1 << 20;

  private ZstdCodec codec;
  private Random random;

  @BeforeEach
  void open() throws CodecException {
    codec = new ZstdCodec(0);
    random = new Random(Samples.SEED);
  }

  @AfterEach
  void close() {
    codec.close();
    assertEquals(codec.packers().created(), codec.packers().freed());
    assertEquals(codec.unpackers().created(), codec.unpackers().freed());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {127, 128, 129, 255, 256, 1000, 4095, 4096, 65_535, 65_536, 131_072, 262_144, MIB})
  void textOfEverySizeComesBack(int length) throws Exception {
    byte[] plain = Samples.text(random, length);
    byte[] packed = pack(codec, plain, null);
    assertTrue(packed.length < length, "packed=" + packed.length);
    assertArrayEquals(plain, unpack(codec, packed, length, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 63, 64, 1000, 65_536, 65_537, MIB})
  void zerosOfEverySizeComeBack(int length) throws Exception {
    byte[] packed = pack(codec, new byte[length], null);
    assertArrayEquals(new byte[length], unpack(codec, packed, length, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 6, 63, 64, 127, 128, 1000, 65_536, 262_144, MIB})
  void noiseOfEverySizeDoesNotShrink(int length) throws Exception {
    byte[] plain = Samples.noise(random, length);
    for (int room : new int[] {0, length / 2, length, length + 1, 2 * length + 1000}) {
      assertEquals(
          Codec.NOT_SHRUNK,
          codec.pack(plain, 0, length, new byte[room], 0, null),
          "room=" + room + " seed=" + Samples.SEED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 9, 15, 19, 22})
  void everyLevelComesBack(int level) throws Exception {
    byte[] plain = Samples.text(random, 100_000);
    try (ZstdCodec other = new ZstdCodec(level)) {
      byte[] packed = pack(other, plain, null);
      assertArrayEquals(plain, unpack(codec, packed, plain.length, null));
    }
  }

  @Test
  void higherLevelsPackSmaller() throws Exception {
    byte[] plain = Samples.text(random, 100_000);
    try (ZstdCodec fast = new ZstdCodec(1);
        ZstdCodec small = new ZstdCodec(19)) {
      assertTrue(pack(small, plain, null).length < pack(fast, plain, null).length);
    }
  }

  @Test
  void levelZeroMeansThree() throws Exception {
    byte[] plain = Samples.text(random, 100_000);
    try (ZstdCodec three = new ZstdCodec(3)) {
      assertArrayEquals(pack(three, plain, null), pack(codec, plain, null));
    }
  }

  @ParameterizedTest
  @CsvSource({"100,4", "1000,5", "100000,7"})
  void framesLeaveOutWhatTheStoreKeeps(int length, int saved) throws Exception {
    byte[] plain = new byte[length];
    assertEquals(Zstd.compress(plain, 3).length - saved, pack(codec, plain, null).length);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 4096, 300_000})
  void everyPairOfBuffersAgrees(int length) throws Exception {
    byte[] plain = Samples.text(random, length);
    byte[] expected = pack(codec, plain, null);
    for (Kind plainKind : Kind.values()) {
      for (Kind packedKind : Kind.WRITABLE) {
        String pair = plainKind + " to " + packedKind;
        ByteBuffer source = plainKind.holding(plain);
        ByteBuffer target = packedKind.holding(new byte[length]);
        int start = target.position();
        assertEquals(expected.length, codec.pack(source, target, null), pair);
        assertEquals(source.limit(), source.position(), pair);
        assertEquals(start + expected.length, target.position(), pair);
        assertArrayEquals(expected, Samples.slice(target, start, target.position()), pair);
        assertMarginsUntouched(target, start, length, pair);
      }
    }
    for (Kind packedKind : Kind.values()) {
      for (Kind plainKind : Kind.WRITABLE) {
        String pair = packedKind + " to " + plainKind;
        ByteBuffer source = packedKind.holding(expected);
        ByteBuffer target = plainKind.holding(new byte[length]);
        int start = target.position();
        codec.unpack(source, target, null);
        assertEquals(source.limit(), source.position(), pair);
        assertEquals(target.limit(), target.position(), pair);
        assertArrayEquals(plain, Samples.slice(target, start, start + length), pair);
        assertMarginsUntouched(target, start, length, pair);
      }
    }
  }

  @Test
  void positionsStayWhereTheyAreWhenNothingComesOut() throws Exception {
    byte[] noise = Samples.noise(random, 5000);
    byte[] packed = pack(codec, Samples.text(random, 5000), null);
    for (Kind from : Kind.values()) {
      for (Kind to : Kind.WRITABLE) {
        for (int room : new int[] {3, 4000, 9000}) {
          ByteBuffer source = from.holding(noise);
          ByteBuffer target = to.holding(new byte[room]);
          int start = target.position();
          assertEquals(Codec.NOT_SHRUNK, codec.pack(source, target, null));
          assertEquals(7, source.position());
          assertEquals(start, target.position());
          assertMarginsUntouched(target, start, room, from + " to " + to);
        }
        ByteBuffer source = from.holding(packed);
        ByteBuffer target = to.holding(new byte[4999]);
        assertThrows(CodecException.class, () -> codec.unpack(source, target, null));
        assertEquals(7, source.position());
        assertEquals(7, target.position());
      }
    }
  }

  @Test
  void outputIsNeverWrittenToReadOnlyBuffers() {
    ByteBuffer some = ByteBuffer.allocate(100);
    ByteBuffer readOnly = ByteBuffer.allocate(100).asReadOnlyBuffer();
    assertThrows(ReadOnlyBufferException.class, () -> codec.pack(some, readOnly, null));
    assertThrows(ReadOnlyBufferException.class, () -> codec.unpack(some, readOnly, null));
  }

  @Test
  void offsetsAreKeptTo() throws Exception {
    byte[] plain = Samples.text(random, 3000);
    byte[] packed = new byte[5000];
    int length = codec.pack(plain, 500, 2000, packed, 1234, null);
    byte[] back = new byte[4000];
    Arrays.fill(back, (byte) 0x5A);
    codec.unpack(packed, 1234, length, back, 777, 2000, null);
    assertArrayEquals(Arrays.copyOfRange(plain, 500, 2500), Arrays.copyOfRange(back, 777, 2777));
    assertMarginsUntouched(ByteBuffer.wrap(back), 777, 2000, "array");
  }

  @Test
  void rangesOutsideTheirArraysAreRefused() {
    byte[] bytes = new byte[100];
    int[][] ranges = {{-1, 10}, {0, 101}, {100, 1}, {1, 100}, {0, -1}, {Integer.MAX_VALUE, 10}};
    for (int[] range : ranges) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> codec.pack(bytes, range[0], range[1], new byte[100], 0, null));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> codec.unpack(bytes, range[0], range[1], new byte[100], 0, 100, null));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> codec.unpack(bytes, 0, 100, new byte[100], range[0], range[1], null));
    }
    for (int offset : new int[] {-1, 101}) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> codec.pack(bytes, 0, 100, new byte[100], offset, null));
    }
  }

  @Test
  void wrongPlainLengthsAreNamed() throws Exception {
    byte[] packed = pack(codec, Samples.text(random, 1000), null);
    CodecException longer =
        assertThrows(CodecException.class, () -> unpack(codec, packed, 1001, null));
    assertTrue(longer.getMessage().contains("plainLength=1001 found=1000"), longer.getMessage());
    CodecException shorter =
        assertThrows(CodecException.class, () -> unpack(codec, packed, 999, null));
    assertTrue(shorter.getMessage().contains("plainLength=999 found=more"), shorter.getMessage());
    for (int length : new int[] {0, 1, 6}) {
      assertThrows(CodecException.class, () -> unpack(codec, packed, length, null));
    }
  }

  /** Packs with ample room. */
  static byte[] pack(Codec codec, byte[] plain, Dictionary dictionary) throws CodecException {
    byte[] packed = new byte[plain.length + 1000];
    int length = codec.pack(plain, 0, plain.length, packed, 0, dictionary);
    assertTrue(length != Codec.NOT_SHRUNK, "did not shrink: plainLength=" + plain.length);
    return Arrays.copyOf(packed, length);
  }

  static byte[] unpack(Codec codec, byte[] packed, int plainLength, Dictionary dictionary)
      throws CodecException {
    byte[] plain = new byte[plainLength];
    codec.unpack(packed, 0, packed.length, plain, 0, plainLength, dictionary);
    return plain;
  }

  private static void assertMarginsUntouched(
      ByteBuffer buffer, int start, int length, String what) {
    ByteBuffer all = buffer.duplicate();
    all.clear();
    for (int i = 0; i < all.capacity(); i++) {
      if (i < start || i >= start + length) {
        assertEquals(0x5A, all.get(i), what + " index=" + i);
      }
    }
  }
}
