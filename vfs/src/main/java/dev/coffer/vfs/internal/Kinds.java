package dev.coffer.vfs.internal;

import dev.coffer.vfs.spi.EntryKey;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Which kinds of files are smaller together, as far as a store that is open has tried. What is
 * decided depends on what was written only, never on time. Thread-safe.
 */
final class Kinds {
  /** Longer ones are no extensions, but parts of names. */
  private static final int MAX_EXTENSION = 12;

  /** More kinds than this have the same decision, that of all others. */
  private static final int MAX_KINDS = 1000;

  private static final String OTHERS = "*";

  /** So many clusters' worth of a kind is packed as decided before it is tried again. */
  private static final int TRIAL_INTERVAL = 32;

  private static final class Decision {
    private boolean clustered;
    private long trialIn;
  }

  private final int clusterLength;
  private final Map<String, Decision> decisions = new HashMap<>();

  Kinds(int clusterLength) {
    this.clusterLength = clusterLength;
  }

  /** The kind of a file: the extension of its name, in lower case, or nothing. */
  static String of(EntryKey key) {
    String name = key.name();
    int dot = name.lastIndexOf('.');
    boolean some = dot > 0 && dot < name.length() - 1 && name.length() - dot <= MAX_EXTENSION + 1;
    return some ? name.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
  }

  private Decision decision(String kind) {
    Decision known = decisions.get(kind);
    if (known == null) {
      String name = decisions.size() < MAX_KINDS ? kind : OTHERS;
      known = decisions.computeIfAbsent(name, unused -> new Decision());
    }
    return known;
  }

  /** Whether a file of this kind and length is gathered with others, be it to try. */
  synchronized boolean gathers(String kind, int length) {
    Decision decision = decision(kind);
    decision.trialIn -= length;
    return decision.clustered || decision.trialIn <= 0;
  }

  /** Whether the files of a kind are packed together, as decided last. */
  synchronized boolean areClustered(String kind) {
    return decision(kind).clustered;
  }

  /** Whether the next cluster of a kind is to be tried against packing its files alone. */
  synchronized boolean isTrialDue(String kind) {
    return decision(kind).trialIn <= 0;
  }

  synchronized void decide(String kind, boolean clustered) {
    Decision decision = decision(kind);
    decision.clustered = clustered;
    decision.trialIn = (long) TRIAL_INTERVAL * clusterLength;
  }
}
