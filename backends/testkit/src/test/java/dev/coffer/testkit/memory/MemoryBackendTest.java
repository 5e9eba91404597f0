package dev.coffer.testkit.memory;

import dev.coffer.testkit.BackendContract;
import dev.coffer.vfs.internal.MemoryBackend;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The memory backend keeps the contract, and so shows that the contract can be kept. */
class MemoryBackendTest extends BackendContract {

  @Override
  protected BackendProvider provider() {
    return new BackendProvider() {
      @Override
      public String name() {
        return "memory";
      }

      @Override
      public boolean recognizes(ByteBuffer head) {
        return false;
      }

      @Override
      public Backend open(Path file, BackendOptions options) {
        return new MemoryBackend();
      }
    };
  }

  @Override
  protected boolean outlivesClose() {
    return false;
  }
}
