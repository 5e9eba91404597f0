/** The {@code coffer} command: packs, lists, reads, changes, extracts and checks stores. */
@NullMarked
package dev.coffer.cli;

import org.jspecify.annotations.NullMarked;
