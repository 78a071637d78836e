package io.prescale.controller.web;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Replays of workloads' histories, one at a time. Thread-safe. */
public interface ReplaysView {
  /** Begins one; refused while another one runs, or when there is no such workload. */
  Started start(String workload);

  /** The newest of a workload. */
  Optional<Job> newest(String workload);

  /** The newest of every workload that has one, in the order of their names. */
  List<Job> newest();

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
      public List<Job> newest() {
        return List.of();
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
   * @param scoredHours length of what is scored; 0 until it is finished
   * @param cardsPerReplica or parts of cards; empty where it is not known
   * @param rows empty until it is finished
   */
  record Job(
      String workload,
      State state,
      double done,
      String problem,
      String history,
      double scoredHours,
      OptionalDouble cardsPerReplica,
      List<Row> rows) {
    public Job {
      rows = List.copyOf(rows);
    }

    /** One of which nothing is known but how far it is. */
    public static Job unfinished(
        String workload, State state, double done, String problem, String history) {
      return new Job(workload, state, done, problem, history, 0, OptionalDouble.empty(), List.of());
    }
  }

  /** How far a replay is. */
  enum State {
    RUNNING,
    FINISHED,
    FAILED
  }

  /** How one policy did. Shares are 0 to 1. */
  record Row(
      String policy,
      double overloadedShare,
      double unservedShare,
      double replicaHours,
      double cost) {}
}
