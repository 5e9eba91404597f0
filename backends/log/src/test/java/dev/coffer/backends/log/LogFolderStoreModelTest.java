package dev.coffer.backends.log;

import dev.coffer.testkit.StoreModelContract;
import dev.coffer.vfs.Layout;

/** The store over folder stores of the log backend. */
class LogFolderStoreModelTest extends StoreModelContract {

  @Override
  protected String backend() {
    return "log";
  }

  @Override
  protected Layout layout() {
    return Layout.FOLDER;
  }
}
