package io.prescale.placement.queue;

/** Whether a queue may take more. */
public sealed interface QuotaCheck {

  /** The queue may take more. */
  record Within() implements QuotaCheck {}

  /**
   * The queue may not take more: it or a queue above it would pass a bound.
   *
   * @param used what the queue would use, in milli-GPU
   * @param allowed the bound, in milli-GPU
   */
  record Exceeded(String queue, Bound bound, long used, long allowed) implements QuotaCheck {
    /** The refusal as a sentence. */
    public String reason() {
      return switch (bound) {
        case LIMIT ->
            "queue %s would use %d milli-GPU, its limit is %d".formatted(queue, used, allowed);
        case GUARANTEED ->
            "queue %s would use %d milli-GPU for work that must not be evicted, %d are guaranteed"
                .formatted(queue, used, allowed);
      };
    }
  }

  /** The bounds of a queue. */
  enum Bound {
    LIMIT,
    GUARANTEED
  }
}
