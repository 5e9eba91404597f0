package dev.coffer.vfs.spi;

/** Keeps content readable by id or location although its entry is replaced. Close is idempotent. */
public interface Pin extends AutoCloseable {
  @Override
  void close();
}
