/** Micro-benchmarks, run by {@code ./coffer-bench jmh}. */
@NullMarked
package dev.coffer.bench.jmh;

import org.jspecify.annotations.NullMarked;
