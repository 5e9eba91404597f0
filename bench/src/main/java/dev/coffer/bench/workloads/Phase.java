package dev.coffer.bench.workloads;

/**
 * A part of a workload that runs in a JVM of its own. Phases of one variant share a folder and run
 * in order.
 *
 * @param name the phase
 * @param variant the size, layout or the like it is run for
 * @param heapMib the child's {@code -Xmx}
 * @param smallHeap whether the heap starts small and grows by need only, so that memory says
 *     something; peak memory is then a figure too
 * @param once whether it builds what the other phases of the variant read in all rounds
 * @param cold whether the page cache is dropped before it
 * @param killed whether the child is killed when it has acknowledged all it means to
 */
public record Phase(
    String name,
    String variant,
    int heapMib,
    boolean smallHeap,
    boolean once,
    boolean cold,
    boolean killed) {

  private static final int USUAL_HEAP = 1024;

  static Phase of(String name, String variant) {
    return new Phase(name, variant, USUAL_HEAP, false, false, false, false);
  }

  Phase withHeap(int mib) {
    return new Phase(name, variant, mib, smallHeap, once, cold, killed);
  }

  Phase withSmallHeap() {
    return new Phase(name, variant, heapMib, true, once, cold, killed);
  }

  Phase builtOnce() {
    return new Phase(name, variant, heapMib, smallHeap, true, cold, killed);
  }

  Phase fromCold() {
    return new Phase(name, variant, heapMib, smallHeap, once, true, killed);
  }

  Phase untilKilled() {
    return new Phase(name, variant, heapMib, smallHeap, once, cold, true);
  }

  /** How its figures begin. */
  public String label(String figure) {
    return variant.isEmpty() ? figure : variant + " " + figure;
  }
}
