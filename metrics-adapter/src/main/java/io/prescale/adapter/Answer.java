package io.prescale.adapter;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** The read model's answer for a metric. Lists of values are never empty. */
public sealed interface Answer {
  /** What a metric comes to: the sum of its values, as the HPA adds them up. */
  static double sum(List<Item> items) {
    return items.stream().mapToLong(Item::milliValue).sum() / 1000.0;
  }

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
   * Some selected value is no longer fresh and stands in for an unknown one.
   *
   * @param age age of the oldest item
   */
  record LastKnownGood(List<Item> items, Duration age) implements Answer {
    public LastKnownGood {
      items = List.copyOf(items);
    }
  }

  /** The metric exists, but a selected value is unknown; {@code reason} says why. */
  record Unknown(String reason) implements Answer {}

  /**
   * The metric does not exist, or the selector matches none of its values; {@code reason} says
   * which.
   */
  record Absent(String reason) implements Answer {}
}
