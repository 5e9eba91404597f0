package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.View;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a backend's own checks cannot see from inside. */
class VerifierTest {
  @Test
  void tellsAnEntryThatIsListedButNotFound() throws Exception {
    MemoryBackend memory = new MemoryBackend();
    new CommitQueue(memory, Clock.systemUTC())
        .commit(
            List.of(overlay -> TreeOperations.createDirectories(overlay, EntryKey.of("/a/lost"))),
            Durability.SYNC,
            0);
    try (View view = memory.openView()) {
      EntryReader broken =
          (EntryReader)
              Proxy.newProxyInstance(
                  EntryReader.class.getClassLoader(),
                  new Class<?>[] {EntryReader.class},
                  (proxy, method, args) -> {
                    if (method.getName().equals("lookup") && "/a/lost".equals(args[0].toString())) {
                      return null;
                    }
                    try {
                      return method.invoke(view, args);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
      List<Problem> sound = problems(view);
      List<Problem> found = problems(broken);
      assertTrue(sound.isEmpty());
      assertEquals(List.of("/a/lost"), found.stream().map(Problem::path).toList());
    }
  }

  private static List<Problem> problems(EntryReader reader) throws Exception {
    ContentReader none = null; // There are only directories.
    Verifier verifier = new Verifier(reader, none, problem -> {});
    verifier.walk(true);
    return verifier.report().problems();
  }
}
