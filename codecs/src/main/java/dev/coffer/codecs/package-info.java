/** Packing bytes into fewer bytes and back: the codec contract and its implementations. */
@NullMarked
package dev.coffer.codecs;

import org.jspecify.annotations.NullMarked;
