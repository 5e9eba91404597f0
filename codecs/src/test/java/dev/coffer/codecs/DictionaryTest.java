package dev.coffer.codecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.codecs.Samples.Kind;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DictionaryTest {
  private final Random random = new Random(Samples.SEED);

  @Test
  void makesSmallContentSmallerAndComesBackInEveryKindOfBuffer() throws Exception {
    Dictionary dictionary = Dictionary.of(Samples.text(random, 20_000));
    byte[] plain = Samples.text(random, 300);
    try (ZstdCodec codec = new ZstdCodec(0)) {
      byte[] packed = ZstdCodecTest.pack(codec, plain, dictionary);
      assertTrue(packed.length < ZstdCodecTest.pack(codec, plain, null).length);
      for (Kind from : Kind.values()) {
        for (Kind to : Kind.WRITABLE) {
          ByteBuffer target = to.holding(new byte[300]);
          codec.unpack(from.holding(packed), target, dictionary);
          assertArrayEquals(plain, Samples.slice(target, 7, 307), from + " to " + to);
          ByteBuffer again = to.holding(new byte[300]);
          assertEquals(packed.length, codec.pack(from.holding(plain), again, dictionary));
        }
      }
    }
  }

  @Test
  void contextsForgetADictionaryAfterUse() throws Exception {
    byte[] plain = Samples.text(random, 500);
    try (ZstdCodec codec = new ZstdCodec(0, 1)) {
      byte[] before = ZstdCodecTest.pack(codec, plain, null);
      byte[] packed = ZstdCodecTest.pack(codec, plain, Dictionary.of(plain));
      assertArrayEquals(plain, ZstdCodecTest.unpack(codec, packed, 500, Dictionary.of(plain)));
      assertArrayEquals(before, ZstdCodecTest.pack(codec, plain, null));
      assertThrows(CodecException.class, () -> ZstdCodecTest.unpack(codec, packed, 500, null));
      assertEquals(1, codec.packers().created());
    }
  }

  @Test
  void moreDictionariesThanAreCachedAllWork() throws Exception {
    try (ZstdCodec codec = new ZstdCodec(0)) {
      List<Dictionary> dictionaries = new ArrayList<>();
      for (int i = 0; i < 3 * DictionaryCache.CAPACITY; i++) {
        dictionaries.add(Dictionary.of(Samples.text(random, 2000)));
      }
      byte[] plain = Samples.text(random, 700);
      for (int round = 0; round < 2; round++) {
        for (Dictionary dictionary : dictionaries) {
          byte[] packed = ZstdCodecTest.pack(codec, plain, dictionary);
          assertArrayEquals(plain, ZstdCodecTest.unpack(codec, packed, 700, dictionary));
        }
      }
    }
  }

  @Test
  void aMalformedTrainedDictionaryIsRefused() throws Exception {
    byte[] bytes = Samples.noise(random, 100);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0xEC30A437);
    try (ZstdCodec codec = new ZstdCodec(0)) {
      Dictionary dictionary = Dictionary.of(bytes);
      byte[] plain = Samples.text(random, 500);
      assertThrows(CodecException.class, () -> ZstdCodecTest.pack(codec, plain, dictionary));
      assertThrows(CodecException.class, () -> ZstdCodecTest.unpack(codec, plain, 500, dictionary));
    }
  }

  @Test
  void whatIsInUseIsNeitherEvictedNorClosed() throws Exception {
    List<FakeDigest> made = new ArrayList<>();
    DictionaryCache<FakeDigest> cache =
        new DictionaryCache<>(
            bytes -> {
              FakeDigest digest = new FakeDigest();
              made.add(digest);
              return digest;
            });
    Dictionary first = dictionary(0);
    SharedDictionary<FakeDigest> held = cache.acquire(first);
    SharedDictionary<FakeDigest> same = cache.acquire(first);
    assertSame(held, same);
    same.release();
    for (int i = 1; i <= DictionaryCache.CAPACITY; i++) {
      cache.acquire(dictionary(i)).release();
    }
    assertEquals(0, held.digest().closes, "evicted while in use");
    SharedDictionary<FakeDigest> anew = cache.acquire(first);
    assertNotSame(held, anew);
    held.release();
    assertEquals(1, held.digest().closes);
    cache.close();
    assertEquals(0, anew.digest().closes, "closed while in use");
    cache.acquire(dictionary(99)).release();
    anew.release();
    for (FakeDigest digest : made) {
      assertEquals(1, digest.closes);
    }
  }

  private static Dictionary dictionary(int i) {
    return Dictionary.of(new byte[] {1, (byte) i});
  }

  private static final class FakeDigest implements Closeable {
    private int closes;

    @Override
    public void close() {
      closes++;
    }
  }
}
