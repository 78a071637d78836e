package io.prescale.controller.web;

/** What is known of nodes and cards. Thread-safe. */
public interface GpusView {
  /** A page of the nodes that a filter lets through, and figures of all of them. */
  GpuPage gpus(Query query);

  /**
   * What to show.
   *
   * @param offset of the first node, 0 or more
   * @param limit 1 to {@value #MOST_NODES}
   */
  record Query(Show show, int offset, int limit) {
    public static final int MOST_NODES = 100;

    public Query {
      if (offset < 0 || limit < 1 || limit > MOST_NODES) {
        throw new IllegalArgumentException(
            "offset must be 0 or more and limit from 1 to %d: %d, %d"
                .formatted(MOST_NODES, offset, limit));
      }
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
    SICK
  }
}
