/** The engines that are compared, each behind the same small interface. */
@NullMarked
package dev.coffer.bench.peers;

import org.jspecify.annotations.NullMarked;
