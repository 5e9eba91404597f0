package dev.coffer.vfs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whatever a store declares to go wrong. The family is closed: nothing else escapes from a damaged
 * or hostile store, apart from {@link IllegalArgumentException} for arguments no store could take.
 *
 * <p>Messages read {@code what is wrong: name=value}. After any of these an operation either did
 * not happen or is complete.
 */
public abstract sealed class StoreException extends IOException
    permits NotAStoreException,
        PathException,
        StoreBackendException,
        StoreClosedException,
        StoreCorruptException,
        StoreExistsException,
        StoreFailedException,
        StoreFullException,
        StoreLockedException,
        StoreNotFoundException,
        StoreReadOnlyException,
        StoreVersionException,
        UnknownCodecException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
