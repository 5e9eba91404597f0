package dev.coffer.backends.log;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendProvider;
import dev.coffer.vfs.spi.EntryReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Opens stores of the log engine; found as a service, under the name {@code log}. */
public final class LogProvider implements BackendProvider {
  static final String NAME = "log";

  private final Tuning tuning;

  /** For the service loader. */
  public LogProvider() {
    this(Tuning.DEFAULT);
  }

  LogProvider(Tuning tuning) {
    this.tuning = tuning;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(ByteBuffer head) {
    return FileHeader.recognizes(head);
  }

  @Override
  public boolean recognizesFolder(Path folder) {
    try {
      return FolderFiles.isStore(new DiskStorage().list(folder));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean makes(Layout layout) {
    return true;
  }

  @Override
  public Backend open(Path file, BackendOptions options) throws StoreException {
    return LogOpener.open(new DiskStorage(), file, options, tuning);
  }

  @Override
  public void seal(EntryReader source, Path target) throws StoreException {
    Sealer.seal(new DiskStorage(), source, target, tuning);
  }
}
