package dev.coffer.codecs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Packs bytes into fewer bytes and back, in the caller's buffers.
 *
 * <p>A codec never remembers lengths and never checks content: whoever keeps packed bytes keeps
 * their plain length and a checksum beside them. zstd alone decodes most damaged frames without an
 * error.
 *
 * <p>All methods may be called from any number of threads at once and never block on each other. A
 * codec may hold native memory; {@link #close()} frees it. Calls made after close throw {@link
 * IllegalStateException}.
 */
public interface Codec extends AutoCloseable {

  /** What {@code pack} answers when the packed form would not be smaller than the plain one. */
  int NOT_SHRUNK = -1;

  /** The id kept with each packed chunk; 0 to 255, never reused for another format. */
  int id();

  /** A short lower-case name for people, such as {@code zstd}. */
  String name();

  /**
   * Packs {@code plain[plainOffset, plainOffset + plainLength)} into {@code packed} at {@code
   * packedOffset}.
   *
   * <p>Room for {@code plainLength + plainLength / 256 + 64} bytes is enough for any content and
   * spares an exception inside when it does not shrink.
   *
   * @return the packed length in bytes, always below {@code plainLength}; or {@link #NOT_SHRUNK}
   *     when packing does not shrink the bytes or the room {@code packed.length - packedOffset}
   *     does not hold them. The content of {@code packed} from {@code packedOffset} on is then
   *     undefined.
   * @throws CodecException if the native library fails
   * @throws IndexOutOfBoundsException if a range lies outside its array
   */
  int pack(
      byte[] plain,
      int plainOffset,
      int plainLength,
      byte[] packed,
      int packedOffset,
      @Nullable Dictionary dictionary)
      throws CodecException;

  /**
   * Packs the remaining bytes of {@code plain} into {@code packed}; each may be a heap or a direct
   * buffer. Advances {@code plain} to its limit and {@code packed} past the output; on {@link
   * #NOT_SHRUNK} or an exception neither position moves.
   *
   * @return the packed length in bytes, or {@link #NOT_SHRUNK}
   * @throws CodecException if the native library fails
   */
  int pack(ByteBuffer plain, ByteBuffer packed, @Nullable Dictionary dictionary)
      throws CodecException;

  /**
   * Unpacks exactly {@code plainLength} bytes from {@code packed[packedOffset, packedOffset +
   * packedLength)} into {@code plain} at {@code plainOffset}.
   *
   * <p>Packed bytes do not name their dictionary. With another one, or with damaged bytes, the
   * outcome is an exception or wrong bytes; only the caller's checksum and record of the dictionary
   * tell.
   *
   * @throws CodecException if the bytes are not this codec's or unpack to any other length than
   *     {@code plainLength}; never writes outside the given range, whose content is then undefined
   * @throws IndexOutOfBoundsException if a range lies outside its array
   */
  void unpack(
      byte[] packed,
      int packedOffset,
      int packedLength,
      byte[] plain,
      int plainOffset,
      int plainLength,
      @Nullable Dictionary dictionary)
      throws CodecException;

  /**
   * Unpacks the remaining bytes of {@code packed} into exactly the remaining bytes of {@code
   * plain}; each may be a heap or a direct buffer, but neither may be mapped from a file that can
   * shrink: native code reading past its end kills the JVM. Advances both to their limits; on an
   * exception neither position moves.
   *
   * @throws CodecException as for the array form
   */
  void unpack(ByteBuffer packed, ByteBuffer plain, @Nullable Dictionary dictionary)
      throws CodecException;

  /** Frees native memory. Idempotent; calls in flight on other threads finish normally. */
  @Override
  void close();
}
