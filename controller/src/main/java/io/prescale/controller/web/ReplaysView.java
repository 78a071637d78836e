package io.prescale.controller.web;

import java.util.List;
import java.util.Optional;

/** Replays of workloads' histories, one at a time. Thread-safe. */
public interface ReplaysView {
  /** Begins one; refused while another one runs, or when there is no such workload. */
  Started start(String workload);

  /**
   * The newest of a workload that was begun by {@link #start}, or the one for which {@link
   * #savings} counts it as failed.
   */
  Optional<Job> newest(String workload);

  /** What all workloads saved last week, as far as they have been replayed. */
  Savings savings();

  /** The report of the newest, as an HTML page of its own; empty until it is there. */
  Optional<String> report(String workload);

  /** Nothing can be replayed, for a reason. */
  static ReplaysView none(String reason) {
    return new ReplaysView() {
      @Override
      public Started start(String workload) {
        return new Started.Refused(reason);
      }

      @Override
      public Optional<Job> newest(String workload) {
        return Optional.empty();
      }

      @Override
      public Savings savings() {
        return Savings.none();
      }

      @Override
      public Optional<String> report(String workload) {
        return Optional.empty();
      }
    };
  }

  /** What became of the wish for a replay. */
  sealed interface Started {
    /** It runs. */
    record Running(Job job) implements Started {}

    /** It does not, and why. */
    record Refused(String reason) implements Started {}
  }

  /**
   * A replay.
   *
   * @param done 0 to 1
   * @param problem why it failed; empty otherwise
   * @param history what a history of its length shows, in a sentence or two; empty before it is
   *     read
   * @param verdicts what the figures mean, a sentence each; empty until it is finished
   * @param rows empty until it is finished
   */
  record Job(
      String workload,
      State state,
      double done,
      String problem,
      String history,
      List<String> verdicts,
      List<Row> rows) {
    public Job {
      verdicts = List.copyOf(verdicts);
      rows = List.copyOf(rows);
    }

    /** One of which nothing is known but how far it is. */
    public static Job unfinished(
        String workload, State state, double done, String problem, String history) {
      return new Job(workload, state, done, problem, history, List.of(), List.of());
    }
  }

  /** How far a replay is. */
  enum State {
    RUNNING,
    FINISHED,
    FAILED
  }

  /** How one policy did. Shares are 0 to 1; starts and reversals are of the scored days. */
  record Row(
      String policy,
      double overloadedShare,
      double unservedShare,
      double replicaHours,
      double cost,
      double scaleEventsPerDay,
      double reversalsPerDay) {}
}
