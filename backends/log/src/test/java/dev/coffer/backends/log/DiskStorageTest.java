package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are mapped, and that those which are not are read all the same. */
class DiskStorageTest {
  private static final int LENGTH = 700_000;

  @TempDir Path folder;

  private static byte[] bytes() {
    byte[] bytes = new byte[LENGTH];
    new Random(4).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "ext4,true",
    "xfs,true",
    "overlay,true",
    "tmpfs,true",
    "NTFS,true",
    "nfs4,false",
    "cifs,false",
    "fuse.sshfs,false",
    "fuseblk,false",
    "macfuse,false",
    "9p,false",
    "vfat,false",
    "FAT32,false"
  })
  void mappingFollowsTheFileSystem(String type, boolean maps) throws IOException {
    DiskStorage storage = new DiskStorage(file -> type);
    try (Storage.OpenFile file = storage.create(folder.resolve("f"))) {
      file.write(0, bytes(), 0, LENGTH);
      assertEquals(maps, file.map(0, LENGTH) != null);
    }
  }

  @Test
  void nothingIsMappedWhereNothingIsKnown() throws IOException {
    DiskStorage storage =
        new DiskStorage(
            file -> {
              throw new IOException("no table of mounts");
            });
    try (Storage.OpenFile file = storage.create(folder.resolve("f"))) {
      file.write(0, bytes(), 0, LENGTH);
      assertNull(file.map(0, LENGTH));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "nfs"})
  void whatIsNotMappedIsReadByPosition(String type) throws IOException {
    DiskStorage storage = new DiskStorage(file -> type);
    try (Storage.OpenFile file = storage.create(folder.resolve("f"))) {
      file.write(0, bytes(), 0, LENGTH);
      Windows windows = new Windows(file);
      byte[] mapped = new byte[LENGTH];
      for (int i = 0; i < Windows.FIRST_READS; i++) {
        assertFalse(windows.copy(0, mapped, 0, LENGTH, LENGTH));
      }
      boolean isMapped = windows.copy(0, mapped, 0, LENGTH, LENGTH);
      assertEquals(type.equals("ext4"), isMapped);
      byte[] read = new byte[LENGTH];
      assertEquals(LENGTH, file.read(0, read, 0, LENGTH));
      assertArrayEquals(bytes(), isMapped ? mapped : read);
    }
  }

  /** As compaction does: the file goes on to be mapped by the name it has then. */
  @Test
  void aRenamedFileIsMapped() throws IOException {
    DiskStorage storage = new DiskStorage();
    Path name = folder.resolve("name");
    try (Storage.OpenFile file = storage.create(folder.resolve("draft"))) {
      file.write(0, bytes(), 0, LENGTH);
      storage.rename(folder.resolve("draft"), name);
      file.renamedTo(name);
      assertNotNull(file.map(0, LENGTH));
    }
  }

  @Test
  void aFileIsLockedOnceAndUntilItIsClosed() throws IOException {
    DiskStorage storage = new DiskStorage();
    Path name = folder.resolve("name");
    Path second = folder.resolve("second");
    try (Storage.OpenFile file = storage.create(name)) {
      assertTrue(file.tryLock());
      storage.link(name, second);
      try (Storage.OpenFile other = storage.open(second, true)) {
        assertFalse(other.tryLock());
      }
    }
    try (Storage.OpenFile other = storage.open(second, true)) {
      assertTrue(other.tryLock());
    }
  }

  /** A channel on a locked file must not be closed, and must not be one more for each reader. */
  @Test
  void readersOfALockedFileShareChannels() throws IOException {
    Path handles = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(handles), "skipped: this system does not list open files");
    DiskStorage storage = new DiskStorage();
    Path name = folder.resolve("name");
    try (Storage.OpenFile file = storage.create(name)) {
      file.write(0, bytes(), 0, LENGTH);
      assertTrue(file.tryLock());
      long before = count(handles);
      for (int i = 0; i < 200; i++) {
        try (Storage.OpenFile reader = storage.open(name, false)) {
          assertNotNull(reader.map(0, LENGTH));
        }
      }
      assertTrue(count(handles) < before + 20, "open files: " + count(handles));
      try (Storage.OpenFile other = storage.open(name, true)) {
        assertFalse(other.tryLock());
      }
    }
  }

  private static long count(Path handles) throws IOException {
    try (Stream<Path> all = Files.list(handles)) {
      return all.count();
    }
  }
}
