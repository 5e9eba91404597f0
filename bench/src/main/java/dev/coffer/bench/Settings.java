package dev.coffer.bench;

import dev.coffer.bench.workloads.Scale;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run was asked for.
 *
 * @param engines which engines, or none for each workload's own choice
 * @param rounds how often each phase is repeated
 * @param payload random or text
 * @param corpus the file that texts are slices of, or null for random values
 * @param directory where stores are made
 * @param keep whether stores that are built once stay there for the next run
 */
record Settings(
    List<String> engines,
    int rounds,
    Scale scale,
    String payload,
    @Nullable Path corpus,
    Path directory,
    boolean keep) {}
