package dev.coffer.backends.log;

import dev.coffer.testkit.StoreContract;

/** The store over the log backend. */
class LogStoreContractTest extends StoreContract {

  @Override
  protected String backend() {
    return "log";
  }
}
