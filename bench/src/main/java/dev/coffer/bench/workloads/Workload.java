package dev.coffer.bench.workloads;

import dev.coffer.bench.results.Goal;
import java.util.List;

/** One of the published workloads. Stateless: each phase runs in a JVM of its own. */
public interface Workload {

  /** Such as {@code W5}. */
  String id();

  /** One line about what it does. */
  String title();

  /** The engines it is run on unless others are asked for. */
  List<String> engines();

  /** All phases, those of one variant together and in order. */
  List<Phase> phases(Scale scale);

  /** Runs one phase, in the child. */
  void run(PhaseRun run) throws Exception;

  /** What the log backend, or another, must reach; what is left out in a quick run is not asked. */
  List<Goal> goals(Scale scale);
}
