/**
 * The log engine. Its format is described in docs/format.md, which is normative; each record's
 * layout lives in one class here ({@link dev.coffer.backends.log.RecordHeader} and the classes
 * named {@code ...Layout}).
 */
@NullMarked
package dev.coffer.backends.log;

import org.jspecify.annotations.NullMarked;
