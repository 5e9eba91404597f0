package dev.coffer.vfs;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one path, apart from its kind and length. Immutable.
 *
 * <p>Times keep nanoseconds over the whole range of {@link Instant}. Values of user attributes are
 * raw bytes; {@link #user()} hands out copies of nothing, so do not write to them.
 *
 * @param mode the permission bits, {@code 0} to {@code 07777}
 * @param modified when the content last changed
 * @param accessed when the content was last read, as last set; the store never sets it on reads
 * @param created when the path came to be
 * @param changed when the entry last changed in any way
 * @param owner the owner's name, if kept
 * @param group the group's name, if kept
 * @param user user-defined attributes by name, in name order; names up to 255 bytes of UTF-8, names
 *     and values of one path together up to 128 KiB, or whatever takes them throws {@link
 *     IllegalArgumentException}
 */
public record Attributes(
    int mode,
    Instant modified,
    Instant accessed,
    Instant created,
    Instant changed,
    @Nullable String owner,
    @Nullable String group,
    SortedMap<String, byte[]> user) {

  /** The permission bits of a new file. */
  public static final int FILE_MODE = 0644;

  /** The permission bits of a new directory. */
  public static final int DIRECTORY_MODE = 0755;

  /** The permission bits of a symbolic link, as on Linux. */
  public static final int LINK_MODE = 0777;

  public Attributes {
    if ((mode & ~07777) != 0) {
      throw new IllegalArgumentException(
          "mode has bits outside 07777: mode=0" + Integer.toOctalString(mode));
    }
    Objects.requireNonNull(modified);
    Objects.requireNonNull(accessed);
    Objects.requireNonNull(created);
    Objects.requireNonNull(changed);
    user = user.isEmpty() ? NO_USER : Collections.unmodifiableSortedMap(inNameOrder(user));
  }

  private static final SortedMap<String, byte[]> NO_USER = Collections.emptySortedMap();

  /** A copy in the natural order of names, whatever order the caller's map has. */
  private static SortedMap<String, byte[]> inNameOrder(SortedMap<String, byte[]> user) {
    SortedMap<String, byte[]> copy = new TreeMap<>();
    copy.putAll(user);
    return copy;
  }

  /** Attributes whose times are all {@code time}, without owner, group or user attributes. */
  public static Attributes of(int mode, Instant time) {
    return new Attributes(mode, time, time, time, time, null, null, NO_USER);
  }

  public Attributes withMode(int newMode) {
    return new Attributes(newMode, modified, accessed, created, changed, owner, group, user);
  }

  public Attributes withModified(Instant time) {
    return new Attributes(mode, time, accessed, created, changed, owner, group, user);
  }

  public Attributes withAccessed(Instant time) {
    return new Attributes(mode, modified, time, created, changed, owner, group, user);
  }

  public Attributes withCreated(Instant time) {
    return new Attributes(mode, modified, accessed, time, changed, owner, group, user);
  }

  public Attributes withChanged(Instant time) {
    return new Attributes(mode, modified, accessed, created, time, owner, group, user);
  }

  public Attributes withOwner(@Nullable String newOwner, @Nullable String newGroup) {
    return new Attributes(mode, modified, accessed, created, changed, newOwner, newGroup, user);
  }

  public Attributes withUser(Map<String, byte[]> attributes) {
    return new Attributes(
        mode, modified, accessed, created, changed, owner, group, new TreeMap<>(attributes));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Attributes that
        && mode == that.mode
        && modified.equals(that.modified)
        && accessed.equals(that.accessed)
        && created.equals(that.created)
        && changed.equals(that.changed)
        && Objects.equals(owner, that.owner)
        && Objects.equals(group, that.group)
        && sameUser(user, that.user);
  }

  @Override
  public int hashCode() {
    return Objects.hash(mode, modified, owner, group, user.keySet());
  }

  private static boolean sameUser(SortedMap<String, byte[]> a, SortedMap<String, byte[]> b) {
    return a.keySet().equals(b.keySet())
        && a.entrySet().stream().allMatch(e -> Arrays.equals(e.getValue(), b.get(e.getKey())));
  }
}
