package io.prescale.adapter;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** What the read model can say of a metric. An empty list of values is not among it. */
public sealed interface Answer {
  /** One value of a metric, with the time at which it was computed. */
  record Item(
      SortedMap<String, String> labels, long milliValue, Instant timestamp, long windowSeconds) {}

  /** Every selected value is fresh. */
  record Fresh(List<Item> items) implements Answer {
    public Fresh {
      items = List.copyOf(items);
    }
  }

  /**
   * Some selected value is past its freshness and stands in for one that is unknown.
   *
   * @param age of the oldest item
   */
  record LastKnownGood(List<Item> items, Duration age) implements Answer {
    public LastKnownGood {
      items = List.copyOf(items);
    }
  }

  /** The metric exists and has a selected value that nobody knows; {@code reason} says why. */
  record Unknown(String reason) implements Answer {}

  /** No such metric, or nothing of it is selected; {@code reason} says which. */
  record Absent(String reason) implements Answer {}
}
