/** How the store does it: paths, packing, the commit queue. Not API. */
@NullMarked
package dev.coffer.vfs.internal;

import org.jspecify.annotations.NullMarked;
