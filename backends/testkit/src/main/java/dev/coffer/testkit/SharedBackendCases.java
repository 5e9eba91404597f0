package dev.coffer.testkit;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many small cases in one store, each on keys of its own, because opening a store costs some
 * backends far more than a case does. The whole is checked once all have run, and again reopened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedBackendCases {
  private final BackendContract contract;
  private BackendFixture fixture;

  @SuppressWarnings("NullAway.Init") // JUnit calls open before the first test.
  SharedBackendCases(BackendContract contract) {
    this.contract = contract;
  }

  @BeforeAll
  void open(@TempDir Path directory) throws StoreException {
    fixture = new BackendFixture(contract, directory);
    fill();
  }

  /** Puts in what all cases read. */
  void fill() throws StoreException {}

  @AfterAll
  void checkAndClose() throws StoreException {
    try (BackendFixture closing = fixture) {
      closing.check();
      if (contract.outlivesClose()) {
        closing.reopen();
      }
    }
  }

  final BackendFixture fixture() {
    return fixture;
  }

  final Backend backend() {
    return fixture.backend();
  }

  final CommitBuilder begin() {
    return fixture.begin();
  }
}
