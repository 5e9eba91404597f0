/**
 * Tests of the log engine: its format byte by byte, and what it keeps through crashes and damage.
 */
package dev.coffer.backends.log;
