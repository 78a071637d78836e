package io.prescale.controller.web;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** What is known of nodes and cards. Thread-safe. */
public interface GpusView {
  /**
   * A page of the nodes that a filter lets through, and figures of all of them.
   *
   * @throws IOException with a sentence, if it cannot be found out now
   */
  GpuPage gpus(Query query) throws IOException;

  /**
   * What to show.
   *
   * @param offset of the first node, 0 or more
   * @param limit 1 to {@value #MOST_NODES}
   */
  record Query(Show show, int offset, int limit) {
    public static final int MOST_NODES = 100;
    private static final int MOST_OFFSET = 1_000_000;
    private static final int USUAL_LIMIT = 24;

    public Query {
      if (offset < 0 || limit < 1 || limit > MOST_NODES) {
        throw new IllegalArgumentException(
            "offset must be 0 or more and limit from 1 to %d: %d, %d"
                .formatted(MOST_NODES, offset, limit));
      }
    }

    /**
     * As parameters of a request ask for it.
     *
     * @throws IllegalArgumentException with a sentence, if they make no sense
     */
    public static Query of(Map<String, String> parameters) {
      var shown = parameters.getOrDefault("show", "all");
      var show =
          Arrays.stream(Show.values())
              .filter(it -> it.word().equals(shown.toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException("show must be all, busy, fragmented or sick."));
      return new Query(
          show,
          WholeNumbers.of(parameters, "offset", 0, MOST_OFFSET),
          Math.max(1, WholeNumbers.of(parameters, "limit", USUAL_LIMIT, MOST_NODES)));
    }

    /** The same as {@link #of} reads it. */
    public String parameters() {
      return "show=%s&offset=%d&limit=%d".formatted(show.word(), offset, limit);
    }
  }

  /** Which nodes. */
  enum Show {
    ALL,
    /** Some card is used. */
    BUSY,
    /** Some of its idle GPU is of no use to any workload. */
    FRAGMENTED,
    /** Some card is not healthy. */
    SICK;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
