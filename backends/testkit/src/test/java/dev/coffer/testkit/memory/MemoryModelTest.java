package dev.coffer.testkit.memory;

import dev.coffer.testkit.StoreModelContract;

/** The store over the memory backend behaves as the model. */
class MemoryModelTest extends StoreModelContract {

  @Override
  protected String backend() {
    return "memory";
  }

  @Override
  protected boolean outlivesClose() {
    return false;
  }
}
