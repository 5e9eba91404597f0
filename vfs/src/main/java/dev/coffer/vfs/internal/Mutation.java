package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreException;

/**
 * One change, with its preconditions: looks at what is, then changes it, or throws and is rolled
 * back. Applied by the commit queue's leader, possibly more than once if a merged commit fails.
 */
@FunctionalInterface
interface Mutation {
  void apply(Overlay overlay) throws StoreException;
}
