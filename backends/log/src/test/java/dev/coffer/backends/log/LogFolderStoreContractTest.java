package dev.coffer.backends.log;

import dev.coffer.testkit.StoreContract;
import dev.coffer.vfs.Layout;
import java.util.Set;

/** The store over folder stores of the log backend. */
class LogFolderStoreContractTest extends StoreContract {

  @Override
  protected String backend() {
    return "log";
  }

  @Override
  protected Layout layout() {
    return Layout.FOLDER;
  }

  @Override
  protected Set<Layout> layouts() {
    return Set.of(Layout.values());
  }
}
