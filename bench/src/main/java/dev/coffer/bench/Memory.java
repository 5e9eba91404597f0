package dev.coffer.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Watches this process's memory on Linux: the peak of its anonymous pages (RssAnon), which the
 * system keeps no peak of, by looking often; and VmHWM, which counts mapped page cache too.
 */
final class Memory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int PERIOD_MILLIS = 10;

  private volatile long peakKib;

  /** Starts looking, until the process ends. */
  void watch() {
    Thread thread = new Thread(this::look, "memory");
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    try {
      while (true) {
        sample();
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void sample() {
    peakKib = Math.max(peakKib, kib("RssAnon:"));
  }

  /** The peak of RssAnon in MiB, 0 if this system does not say. */
  double peakMib() {
    sample();
    return peakKib / 1024.0;
  }

  /** VmHWM in MiB, 0 if this system does not say. */
  double highWaterMib() {
    return kib("VmHWM:") / 1024.0;
  }

  private static long kib(String name) {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(name)) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException e) {
      return 0; // Not Linux: no figure.
    }
    return 0;
  }
}
