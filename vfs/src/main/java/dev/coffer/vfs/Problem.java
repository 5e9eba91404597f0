package dev.coffer.vfs;

import org.jspecify.annotations.Nullable;

/**
 * One thing found wrong by {@code verify}, or on opening.
 *
 * @param path the canonical path that is lost, or null if not known
 * @param offset where in the store's file, in bytes, or -1 if not known
 * @param message what is wrong, as {@code what is wrong: name=value}
 */
public record Problem(@Nullable String path, long offset, String message) {}
