package dev.coffer.testkit.memory;

import dev.coffer.testkit.StoreContract;

/** The store over the memory backend. */
class MemoryStoreTest extends StoreContract {

  @Override
  protected String backend() {
    return "memory";
  }

  @Override
  protected boolean outlivesClose() {
    return false;
  }
}
