package dev.coffer.backends.log;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The files of a folder store, by name: {@code manifest-N} and {@code segment-N}, with ten digits.
 * Thread-safe.
 */
final class FolderFiles {
  private static final String MANIFEST = "manifest-";
  private static final String SEGMENT = "segment-";
  private static final String DRAFT = ".new";
  private static final int DIGITS = 10;

  /** Above what a manifest may have: so many segments that opening them would be hopeless. */
  private static final int MAX_MANIFEST = FileHeader.LENGTH + RecordHeader.MAX_META;

  private final Storage storage;
  private final Path folder;

  FolderFiles(Storage storage, Path folder) {
    this.storage = storage;
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  /** Whether a folder that these files are in is a store, damaged or not. */
  static boolean isStore(List<Path> files) {
    return files.stream()
        .map(FolderFiles::name)
        .anyMatch(name -> number(name, MANIFEST) >= 0 || number(name, SEGMENT) >= 0);
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The number that follows a prefix in a name, or -1 if the name is another. */
  private static long number(String name, String prefix) {
    if (name.length() != prefix.length() + DIGITS || !name.startsWith(prefix)) {
      return -1;
    }
    long number = 0;
    for (int i = prefix.length(); i < name.length(); i++) {
      int digit = name.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  private Path file(String prefix, long number) {
    return folder.resolve(prefix + String.format(Locale.ROOT, "%0" + DIGITS + "d", number));
  }

  Path segment(int number) {
    return file(SEGMENT, number);
  }

  Path manifest(long number) {
    return file(MANIFEST, number);
  }

  /** The numbers of the manifests that are there, ascending. */
  List<Long> manifests() throws StoreException {
    return numbers(MANIFEST, Long.MAX_VALUE);
  }

  /** The numbers of the segments that are there, ascending. */
  List<Integer> segments() throws StoreException {
    List<Integer> segments = new ArrayList<>();
    numbers(SEGMENT, Integer.MAX_VALUE).forEach(each -> segments.add(each.intValue()));
    return segments;
  }

  private List<Long> numbers(String prefix, long max) throws StoreException {
    try {
      List<Long> numbers = new ArrayList<>();
      for (Path file : storage.list(folder)) {
        long number = number(name(file), prefix);
        if (number > 0 && number <= max) {
          numbers.add(number);
        }
      }
      Collections.sort(numbers);
      return numbers;
    } catch (IOException e) {
      throw Failures.reading(folder, e);
    }
  }

  /**
   * Reads a manifest.
   *
   * @return null if it is gone
   * @throws dev.coffer.vfs.StoreCorruptException if it is not as it was written
   */
  @Nullable ManifestLayout readManifest(long number) throws StoreException {
    Path path = manifest(number);
    try (Storage.OpenFile file = storage.open(path, false)) {
      int length = (int) Math.min(file.size(), MAX_MANIFEST + 1L);
      byte[] bytes = new byte[length];
      int count = file.read(0, bytes, 0, length);
      return ManifestLayout.decode(Arrays.copyOf(bytes, count), number);
    } catch (StoreException e) {
      throw e;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw Failures.reading(path, e);
    }
  }

  /** Writes a manifest beside its place, durable. */
  void draftManifest(ManifestLayout manifest) throws IOException {
    try (Storage.OpenFile file = storage.create(draft(manifest.number()))) {
      byte[] bytes = manifest.encode();
      file.write(0, bytes, 0, bytes.length);
      file.force(true);
    }
  }

  /** Makes a drafted manifest take force; after an exception it is unknown whether it did. */
  void publishManifest(long number) throws IOException {
    storage.rename(draft(number), manifest(number));
    storage.forceDirectory(folder);
  }

  private Path draft(long number) {
    return folder.resolve(manifest(number).getFileName() + DRAFT);
  }

  /** A manifest's header made of a segment's, or null if that is damaged or gone too. */
  @Nullable FileHeader header(int segment) throws StoreException {
    try (Storage.OpenFile file = openSegment(segment, false)) {
      byte[] head = new byte[FileHeader.LENGTH];
      int count = file.read(0, head, 0, head.length);
      FileHeader found = FileHeader.decode(Arrays.copyOf(head, count));
      return new FileHeader(found.features(), found.storeId(), found.sealed(), 0, found.created());
    } catch (StoreCorruptException | NotAStoreException e) {
      return null;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw Failures.reading(segment(segment), e);
    }
  }

  /**
   * Makes the file of a new segment, durable once the folder is forced; whatever it was is gone.
   */
  Storage.OpenFile createSegment(FileHeader header) throws IOException {
    Storage.OpenFile file = storage.create(segment(header.segment()));
    boolean made = false;
    try {
      byte[] head = header.encode();
      file.write(0, head, 0, head.length);
      made = true;
      return file;
    } finally {
      if (!made) {
        file.close();
      }
    }
  }

  Storage.OpenFile openSegment(int number, boolean writable) throws IOException {
    return storage.open(segment(number), writable);
  }

  void deleteSegment(int number) throws IOException {
    storage.delete(segment(number));
  }

  /**
   * Deletes what the newest manifest, durable by now, does not name: older manifests, segments that
   * were dropped, drafts; and at opening segments that never came to be. For the writer; what
   * cannot be deleted stays for the next one.
   */
  void sweep(ManifestLayout newest, boolean opening) {
    try {
      for (Path file : storage.list(folder)) {
        String name = name(file);
        long manifest = number(name, MANIFEST);
        long segment = number(name, SEGMENT);
        boolean draft = name.startsWith(MANIFEST) && name.endsWith(DRAFT);
        boolean older = manifest >= 0 && manifest < newest.number();
        boolean dropped =
            segment >= 0
                && segment <= (opening ? Integer.MAX_VALUE : newest.active().number())
                && !newest.numbers().contains((int) segment);
        if (draft || older || dropped) {
          storage.delete(file);
        }
      }
    } catch (IOException e) {
      // It costs room, and nothing else.
    }
  }
}
