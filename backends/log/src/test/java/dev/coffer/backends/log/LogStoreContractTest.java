package dev.coffer.backends.log;

import dev.coffer.testkit.StoreContract;
import dev.coffer.vfs.Layout;
import java.util.Set;

/** The store over the log backend. */
class LogStoreContractTest extends StoreContract {

  @Override
  protected String backend() {
    return "log";
  }

  @Override
  protected Set<Layout> layouts() {
    return Set.of(Layout.values());
  }
}
