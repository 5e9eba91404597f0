package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.spi.EntryKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindsTest {
  private static final int CLUSTER = 1000;

  @ParameterizedTest
  @CsvSource({
    "/a/Main.java, java",
    "/a/PHOTO.JPG, jpg",
    "/a/archive.tar.gz, gz",
    "/a/Makefile, ''",
    "/a/.hidden, ''",
    "/a/ends., ''",
    "/a.d/name, ''",
    "/a/v1.2-a-long-part-of-a-name, ''"
  })
  void kindIsTheExtension(String path, String kind) {
    assertEquals(kind, Kinds.of(EntryKey.of(path)));
  }

  @Test
  void newKindsAreTried() {
    Kinds kinds = new Kinds(CLUSTER);
    assertTrue(kinds.gathers("txt", 10));
    assertTrue(kinds.isTrialDue("txt"));
    kinds.decide("txt", true);
    assertFalse(kinds.isTrialDue("txt"));
    assertTrue(kinds.gathers("txt", 10));
    kinds.decide("png", false);
    assertFalse(kinds.gathers("png", 10));
    assertTrue(kinds.gathers("txt", 10), "another kind's decision");
  }

  @Test
  void decisionsAreTriedAgainAfterAWhile() {
    Kinds kinds = new Kinds(CLUSTER);
    kinds.decide("png", false);
    int passed = 0;
    while (!kinds.gathers("png", CLUSTER)) {
      passed++;
    }
    assertTrue(passed > 10 && passed < 100, "passed=" + passed);
    assertTrue(kinds.isTrialDue("png"));
  }

  @Test
  void endlesslyManyKindsTakeBoundedMemory() {
    Kinds kinds = new Kinds(CLUSTER);
    for (int i = 0; i < 5000; i++) {
      kinds.decide("k" + i, false);
    }
    assertFalse(kinds.gathers("never seen", 1), "decided with the others");
  }
}
