/** What is measured: one class a workload, or a family of them. */
@NullMarked
package dev.coffer.bench.workloads;

import org.jspecify.annotations.NullMarked;
