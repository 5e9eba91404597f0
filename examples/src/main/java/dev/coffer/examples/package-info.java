/** Small programs that use Coffer; the README quotes them. */
@NullMarked
package dev.coffer.examples;

import org.jspecify.annotations.NullMarked;
