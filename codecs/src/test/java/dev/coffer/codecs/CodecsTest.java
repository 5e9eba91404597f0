package dev.coffer.codecs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class CodecsTest {

  @Test
  void findsBothCodecsByIdAndName() throws Exception {
    try (Codecs codecs = Codecs.load(0)) {
      assertInstanceOf(RawCodec.class, codecs.byId(Codecs.RAW_ID));
      assertInstanceOf(ZstdCodec.class, codecs.byId(Codecs.ZSTD_ID));
      assertSame(codecs.byId(Codecs.RAW_ID), codecs.byName("raw"));
      assertSame(codecs.byId(Codecs.ZSTD_ID), codecs.byName("zstd"));
    }
  }

  @Test
  void answersNullForWhatThereIsNot() throws Exception {
    try (Codecs codecs = Codecs.load(0)) {
      for (int id : new int[] {Integer.MIN_VALUE, -1, 2, 255, 256, Integer.MAX_VALUE}) {
        assertNull(codecs.byId(id), "id=" + id);
      }
      assertNull(codecs.byName("ZSTD"));
    }
  }

  @Test
  void findsProvidersWhateverTheContextClassLoaderSees() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader blind = new URLClassLoader(new URL[0], null)) {
      thread.setContextClassLoader(blind);
      try (Codecs codecs = Codecs.load(0)) {
        assertEquals("zstd", codecs.byId(Codecs.ZSTD_ID).name());
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void refusesLevelsThatAreNot() {
    assertThrows(IllegalArgumentException.class, () -> Codecs.load(-1));
    assertThrows(IllegalArgumentException.class, () -> Codecs.load(23));
  }

  @Test
  void closesAll() throws Exception {
    Codecs codecs = Codecs.load(0);
    codecs.close();
    codecs.close();
    byte[] bytes = new byte[100];
    for (String name : new String[] {"raw", "zstd"}) {
      Codec codec = codecs.byName(name);
      assertThrows(
          IllegalStateException.class, () -> codec.pack(bytes, 0, 100, new byte[200], 0, null));
      assertThrows(
          IllegalStateException.class, () -> codec.unpack(bytes, 0, 100, bytes, 0, 100, null));
    }
  }
}
