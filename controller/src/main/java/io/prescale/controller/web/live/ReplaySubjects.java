package io.prescale.controller.web.live;

/** Finds the subjects of replays. Thread-safe. */
@FunctionalInterface
public interface ReplaySubjects {
  /** Finds the subject for a workload, or the reason why it cannot be replayed. */
  Found find(String workload);

  /** The result of a search. */
  sealed interface Found {
    /** The workload can be replayed. */
    record Subject(ReplaySubject subject) implements Found {}

    /** The workload cannot be replayed; the sentence says why. */
    record Nothing(String sentence) implements Found {}
  }
}
