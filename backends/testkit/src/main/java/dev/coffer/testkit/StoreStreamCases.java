package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotAFileException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.WriteOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading and writing through streams, in bounded memory and of one version. */
abstract class StoreStreamCases extends StoreCases {

  StoreStreamCases(StoreContract contract) {
    super(contract);
  }

  /** A stream that gives {@code length} bytes, and then ends or throws. */
  private static final class Source extends InputStream {
    private final Random random = new Random(17);
    private final boolean fails;
    private long position;
    private long left;
    private boolean closed;

    Source(long length, boolean fails) {
      this.left = length;
      this.fails = fails;
    }

    static byte byteAt(long position) {
      return (byte) (position >> 10);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      if (left == 0) {
        if (fails) {
          throw new IOException("the source broke");
        }
        return -1;
      }
      int part = (int) Math.min(left, Math.min(count, 1 + random.nextInt(10_000)));
      for (int i = 0; i < part; i++) {
        target[offset + i] = byteAt(position++);
      }
      left -= part;
      return part;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4095, 4096, 4097, 8192, 30_000, 300_000})
  void writesAndReadsInAnySteps(int length) throws IOException {
    byte[] content = mixed(length, length);
    Random random = new Random(length);
    try (OutputStream out = store().newOutputStream("/dir/file")) {
      for (int from = 0; from < length; ) {
        int part = Math.min(length - from, 1 + random.nextInt(9000));
        if (part == 1) {
          out.write(content[from]);
        } else {
          out.write(content, from, part);
        }
        from += part;
      }
      assertFalse(store().exists("/dir/file"), "nothing is visible before close");
    }
    assertContent(content, "/dir/file");
    try (InputStream in = store().newInputStream("/dir/file")) {
      assertArrayEquals(content, in.readAllBytes());
      assertEquals(-1, in.read());
    }
    try (InputStream in = store().newInputStream("/dir/file")) {
      for (int from = 0; from < length; ) {
        byte[] part = new byte[1 + random.nextInt(7000)];
        int read = in.read(part);
        assertTrue(read > 0);
        assertArrayEquals(
            Arrays.copyOfRange(content, from, from + read), Arrays.copyOf(part, read));
        from += read;
      }
      assertEquals(-1, in.read());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, 4097, 50_000})
  void writesFromAStream(int length) throws IOException {
    byte[] content = mixed(length, length);
    store().write("/file", new ByteArrayInputStream(content), null);
    assertContent(content, "/file");
  }

  @Test
  void skips() throws IOException {
    byte[] content = mixed(1, 40_000);
    store().write("/file", content);
    try (InputStream in = store().newInputStream("/file")) {
      in.skipNBytes(9999);
      assertEquals(content[9999] & 0xff, in.read());
      in.skipNBytes(20_000);
      assertArrayEquals(Arrays.copyOfRange(content, 30_000, 40_000), in.readAllBytes());
      assertEquals(0, in.skip(10));
    }
  }

  @Test
  void aSourceIsReadButNotClosed() throws IOException {
    Source source = new Source(10_000, false);
    store().write("/file", source, null);
    assertFalse(source.closed);
    assertEquals(10_000, store().stat("/file").length());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 10_000, 2_000_000})
  void aSourceThatThrowsWritesNothing(int length) throws IOException {
    write("/old", "old");
    for (String path : List.of("/old", "/new/file")) {
      IOException thrown =
          assertThrows(
              IOException.class, () -> store().write(path, new Source(length, true), null));
      assertEquals("the source broke", thrown.getMessage());
      assertSame(IOException.class, thrown.getClass());
    }
    assertContent("old", "/old");
    assertEquals(List.of("/", "/old"), paths());
  }

  @Test
  void largeFilesPassThroughInBoundedMemory() throws IOException {
    long length = 64L << 20;
    try (OutputStream out = store().newOutputStream("/large");
        InputStream source = new Source(length, false)) {
      source.transferTo(out);
    }
    assertEquals(length, store().stat("/large").length());
    long position = 0;
    try (InputStream in = store().newInputStream("/large")) {
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        assertEquals(Source.byteAt(position), buffer[0]);
        assertEquals(Source.byteAt(position + read - 1), buffer[read - 1]);
        position += read;
      }
    }
    assertEquals(length, position);
    assertEquals(3, store().readRange("/large", length - 3, 100).length);
    store().copy("/large", "/copy");
    store().delete("/large");
    store().compact();
    assertEquals(5, store().readRange("/copy", length / 2, 5).length);
  }

  @Test
  void anOpenStreamReadsTheVersionItOpened() throws IOException {
    for (int length : new int[] {100, 3000, 60_000}) {
      byte[] old = mixed(length, length);
      store().write("/file", old);
      try (InputStream replaced = store().newInputStream("/file");
          InputStream again = store().newInputStream("/file")) {
        assertEquals(old[0] & 0xff, replaced.read());
        store().write("/file", mixed(-length, 70_000));
        store().compact();
        assertArrayEquals(Arrays.copyOfRange(old, 1, length), replaced.readAllBytes());
        store().delete("/file");
        store().compact();
        write("/other", "x");
        assertArrayEquals(old, again.readAllBytes());
      }
    }
  }

  @Test
  void anOpenStreamOutlivesAMove() throws IOException {
    byte[] content = mixed(1, 60_000);
    store().write("/d/file", content);
    try (InputStream in = store().newInputStream("/d/file")) {
      store().move("/d", "/e");
      store().deleteRecursively("/e");
      store().compact();
      assertArrayEquals(content, in.readAllBytes());
    }
  }

  @Test
  void twoWritersOfOnePathBothSucceedTheLastToClose() throws IOException {
    OutputStream first = store().newOutputStream("/file");
    OutputStream second = store().newOutputStream("/file");
    first.write(text("first"));
    second.write(text("second"));
    second.close();
    assertContent("second", "/file");
    first.close();
    assertContent("first", "/file");
    first.close();
    assertThrows(StoreClosedException.class, () -> first.write(1));
  }

  @Test
  void optionsHoldWhenTheStreamCloses() throws IOException {
    OutputStream mustExist = store().newOutputStream("/none", WriteOption.MUST_EXIST);
    mustExist.write(1);
    assertThrows(NoSuchEntryException.class, mustExist::close);
    assertFalse(store().exists("/none"));
    OutputStream createNew = store().newOutputStream("/file", WriteOption.CREATE_NEW);
    createNew.write(1);
    write("/file", "meanwhile");
    assertThrows(EntryExistsException.class, createNew::close);
    assertContent("meanwhile", "/file");
    OutputStream directory = store().newOutputStream("/dir");
    store().createDirectories("/dir");
    assertThrows(NotAFileException.class, directory::close);
    assertTrue(store().stat("/dir").isDirectory());
  }

  @Test
  void aClosedStreamSaysSo() throws IOException {
    store().write("/file", mixed(1, 60_000));
    InputStream in = store().newInputStream("/file");
    in.close();
    in.close();
    assertThrows(StoreClosedException.class, in::read);
  }

  @Test
  void tablesOfTwoLevelsAreReadAnywhere() throws IOException {
    byte[] content = mixed(5, 4096 * 1030 + 77);
    store().write("/file", new ByteArrayInputStream(content), null);
    Random random = new Random(5);
    for (int i = 0; i < 40; i++) {
      int from = random.nextInt(content.length);
      int count = random.nextInt(20_000);
      assertArrayEquals(
          Arrays.copyOfRange(content, from, Math.min(content.length, from + count)),
          store().readRange("/file", from, count));
    }
  }
}
