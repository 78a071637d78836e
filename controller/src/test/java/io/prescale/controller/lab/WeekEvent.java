package io.prescale.controller.lab;

import java.time.Instant;
import java.util.List;

/** What happened to a pod, at a time. */
sealed interface WeekEvent {
  Instant at();

  String pod();

  /** It was created, and asks for so many thousandths of a card. */
  record Created(Instant at, String pod, String queue, int milli) implements WeekEvent {}

  /** It was bound, and has these parts of cards. */
  record Bound(Instant at, String pod, List<Part> parts) implements WeekEvent {
    public Bound {
      parts = List.copyOf(parts);
    }
  }

  /** It has notice until a time, to give its cards back or to move. */
  record Noticed(Instant at, String pod, Why why, Instant until) implements WeekEvent {}

  /** It has no such notice any more. */
  record Withdrawn(Instant at, String pod, Why why) implements WeekEvent {}

  /** It was evicted. */
  record Evicted(Instant at, String pod) implements WeekEvent {}

  /** It was deleted, by whom it was made. */
  record Ended(Instant at, String pod) implements WeekEvent {}

  /** A part of a card. */
  record Part(String uuid, int memoryMib, int cores) {}

  /** Why a pod has notice. */
  enum Why {
    GIVE_BACK("gpu.prescale.io/reclaim-at"),
    MOVE("gpu.prescale.io/move-at");

    final String annotation;

    Why(String annotation) {
      this.annotation = annotation;
    }
  }
}
