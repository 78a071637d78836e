package io.prescale.controller.web.live;

/** Knows what can be replayed. Thread-safe. */
@FunctionalInterface
public interface ReplaySubjects {
  /** What a replay of a workload is about, or why there can be none. */
  Found find(String workload);

  /** What was found. */
  sealed interface Found {
    /** It can be replayed. */
    record Subject(ReplaySubject subject) implements Found {}

    /** It cannot, and why, in a sentence. */
    record Nothing(String sentence) implements Found {}
  }
}
