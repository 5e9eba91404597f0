/** Benchmarks: run by hand, depended on by nothing. */
@NullMarked
package dev.coffer.bench;

import org.jspecify.annotations.NullMarked;
