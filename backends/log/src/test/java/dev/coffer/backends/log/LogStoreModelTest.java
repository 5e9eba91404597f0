package dev.coffer.backends.log;

import dev.coffer.testkit.StoreModelContract;

/** The store over the log backend behaves as the model. */
class LogStoreModelTest extends StoreModelContract {

  @Override
  protected String backend() {
    return "log";
  }
}
