package dev.coffer.codecs;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Bytes that packer and unpacker both know beforehand, so that small content packs well. Immutable
 * and thread-safe. A dictionary is named by its content: {@link #id()} is the first eight bytes of
 * its SHA-256, so the right id with other bytes cannot be.
 */
public final class Dictionary {
  private final long id;
  private final byte[] bytes;

  private Dictionary(long id, byte[] bytes) {
    this.id = id;
    this.bytes = bytes;
  }

  /** A dictionary of a copy of these bytes, at least one. */
  public static Dictionary of(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("dictionary is empty: length=0");
    }
    byte[] copy = bytes.clone();
    return new Dictionary(idOf(copy), copy);
  }

  /** The id a dictionary of these bytes has; never 0. */
  public static long idOf(byte[] bytes) {
    try {
      long id = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong();
      return id == 0 ? 1 : id;
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  public long id() {
    return id;
  }

  /** The length in bytes. */
  public int length() {
    return bytes.length;
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes themselves, for the codecs of this package only. */
  byte[] shared() {
    return bytes;
  }
}
