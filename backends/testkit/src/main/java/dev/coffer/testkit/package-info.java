/**
 * What every backend has to pass: contract tests for the backend SPI and for the store above it,
 * and a random test against a simple model. A backend's own tests subclass {@link
 * dev.coffer.testkit.BackendContract} and name their provider.
 */
@NullMarked
package dev.coffer.testkit;

import org.jspecify.annotations.NullMarked;
