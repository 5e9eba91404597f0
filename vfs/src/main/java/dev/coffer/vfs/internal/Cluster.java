package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Small files, one behind the other, that become one chunk. For one thread at a time. */
final class Cluster {
  /** What a chunk of its own costs a file at least, beside its bytes: about a header. */
  private static final int OVERHEAD = 32;

  /** Clusters must save one part in this many, or reads would pay for little. */
  private static final int LEAST_GAIN = 16;

  private static final int FIRST_CAPACITY = 4 * 1024;

  private record Member(FileWrite write, int offset, int length) {}

  private final int capacity;
  private final List<Member> members = new ArrayList<>();
  private byte[] plain;
  private int length;

  /**
   * @param capacity the most plain bytes
   */
  Cluster(int capacity) {
    this.capacity = capacity;
    this.plain = new byte[Math.min(capacity, FIRST_CAPACITY)];
  }

  int length() {
    return length;
  }

  int count() {
    return members.size();
  }

  boolean hasRoomFor(int bytes) {
    return bytes <= capacity - length;
  }

  void add(FileWrite write, byte[] bytes) {
    add(write, bytes, 0, bytes.length);
  }

  private void add(FileWrite write, byte[] bytes, int offset, int count) {
    if (plain.length - length < count) {
      plain = Arrays.copyOf(plain, Math.min(capacity, Math.max(length + count, 2 * plain.length)));
    }
    System.arraycopy(bytes, offset, plain, length, count);
    members.add(new Member(write, length, count));
    length += count;
  }

  /** Takes over all of another one, for which there is room. */
  void addAll(Cluster other) {
    for (Member member : other.members) {
      add(member.write, other.plain, member.offset, member.length);
    }
  }

  /** Packs all of it together. */
  PackedChunk pack(Packer packer) throws StoreException {
    return packer.packUnsampled(plain, 0, length);
  }

  /** Packs each member by itself; in their order. */
  List<PackedChunk> packAlone(Packer packer) throws StoreException {
    List<PackedChunk> alone = new ArrayList<>(members.size());
    for (Member member : members) {
      alone.add(packer.pack(plain, member.offset, member.length));
    }
    return alone;
  }

  /** Whether members are enough smaller together than alone. */
  static boolean pays(PackedChunk together, List<PackedChunk> alone) {
    long sum = (long) OVERHEAD * alone.size();
    for (PackedChunk chunk : alone) {
      sum += chunk.length();
    }
    return together.length() + OVERHEAD <= sum - sum / LEAST_GAIN;
  }

  /** Tells the files where their bytes are. */
  void staged(long id, PackedChunk chunk) {
    for (Member member : members) {
      member.write.placed(
          new Content.Chunk(
              id,
              member.offset,
              chunk.plainLength(),
              chunk.codecId(),
              chunk.dictionaryId(),
              chunk.length(),
              chunk.checksum()));
    }
  }

  /** Gives each file a chunk of its own; answers the files. */
  List<FileWrite> separated(List<PackedChunk> alone) {
    List<FileWrite> writes = new ArrayList<>(members.size());
    for (int i = 0; i < alone.size(); i++) {
      FileWrite write = members.get(i).write;
      write.placed(new Content.Packed(alone.get(i)));
      writes.add(write);
    }
    return writes;
  }
}
