package dev.coffer.vfs;

import java.util.List;

/**
 * What {@code verify} found.
 *
 * @param entries how many entries were checked
 * @param plainBytes how many bytes of content were unpacked and checked
 * @param problems what is wrong; empty for a sound store
 */
public record VerifyReport(long entries, long plainBytes, List<Problem> problems) {
  public boolean isClean() {
    return problems.isEmpty();
  }
}
