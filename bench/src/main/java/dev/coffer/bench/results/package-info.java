/** Figures, what they are compared with, and how that is printed. */
@NullMarked
package dev.coffer.bench.results;

import org.jspecify.annotations.NullMarked;
