/** The virtual file store: whole files addressed by path, packed, committed in batches. */
@NullMarked
package dev.coffer.vfs;

import org.jspecify.annotations.NullMarked;
