package dev.coffer.backends.log;

import java.io.EOFException;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The meta bytes of a seal, whose number is the last commit's sequence: the SHA-256 of the file up
 * to the record, 32 bytes. It lies just before the trailer of a sealed file.
 */
final class SealLayout {
  static final int LENGTH = 32;

  /** What a sealed file has from its seal on. */
  static final int END_LENGTH = 2 * RecordHeader.LENGTH + LENGTH + TrailerLayout.LENGTH;

  private static final int PIECE = 256 * 1024;

  private SealLayout() {}

  /** The SHA-256 of a file's first bytes. */
  static byte[] digest(Storage.OpenFile file, long length) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java has it.
    }
    byte[] piece = new byte[PIECE];
    long position = 0;
    while (position < length) {
      int count = file.read(position, piece, 0, (int) Math.min(piece.length, length - position));
      if (count <= 0) {
        throw new EOFException("file is too short: expected=" + length + " found=" + position);
      }
      digest.update(piece, 0, count);
      position += count;
    }
    return digest.digest();
  }
}
