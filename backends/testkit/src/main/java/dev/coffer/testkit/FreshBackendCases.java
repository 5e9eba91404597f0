package dev.coffer.testkit;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Cases that each start with a new, empty store, which is checked as a whole at their end. */
abstract class FreshBackendCases {
  private final BackendContract contract;
  private BackendFixture fixture;

  @SuppressWarnings("NullAway.Init") // JUnit calls open before every test.
  FreshBackendCases(BackendContract contract) {
    this.contract = contract;
  }

  @BeforeEach
  void open(@TempDir Path directory) throws StoreException {
    fixture = new BackendFixture(contract, directory);
  }

  @AfterEach
  void checkAndClose() throws StoreException {
    try (BackendFixture closing = fixture) {
      closing.check();
      if (contract.outlivesClose()) {
        closing.reopen();
      }
    }
  }

  final BackendContract contract() {
    return contract;
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
