package dev.coffer.backends.log;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendProvider;
import dev.coffer.vfs.spi.EntryReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The log backend as tests through the API find it, before the real one: folder stores have small
 * segments, so that much is rolled and compacted by itself; single files are as always.
 */
public final class SmallSegmentsProvider implements BackendProvider {
  static final Tuning SMALL =
      new Tuning(40_000, 10_000, 1, 200, 16_384, true, 20_000, 80_000, 4096, 4);

  private final LogProvider plain = new LogProvider();
  private final LogProvider small = new LogProvider(SMALL);

  /** For the service loader. */
  public SmallSegmentsProvider() {}

  @Override
  public String name() {
    return LogProvider.NAME;
  }

  @Override
  public boolean recognizes(ByteBuffer head) {
    return plain.recognizes(head);
  }

  @Override
  public boolean recognizesFolder(Path folder) {
    return plain.recognizesFolder(folder);
  }

  @Override
  public boolean makes(Layout layout) {
    return plain.makes(layout);
  }

  @Override
  public Backend open(Path file, BackendOptions options) throws StoreException {
    boolean folder = options.layout() == Layout.FOLDER || Files.isDirectory(file);
    return (folder ? small : plain).open(file, options);
  }

  @Override
  public void seal(EntryReader source, Path target) throws StoreException {
    plain.seal(source, target);
  }
}
