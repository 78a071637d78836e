package io.prescale.placement.queue;

import java.math.BigDecimal;

/**
 * What a queue may have, in milli-GPU.
 *
 * @param guaranteed it gets this much whenever it asks; what it does not use, others may borrow
 * @param reserved the part of the guaranteed that is never lent
 * @param limit it never gets more
 * @param weight its part, in relation to its siblings, of what they leave; 0 takes no part
 * @param priority siblings of a higher priority take from the rest before others; does not affect
 *     the guaranteed
 */
public record Quota(long guaranteed, long reserved, long limit, int weight, int priority) {
  /** A limit no cluster reaches: a million GPUs. */
  public static final long UNLIMITED = 1_000_000_000;

  /** Larger weights add nothing that smaller ones cannot express. */
  public static final int HIGHEST_WEIGHT = 1000;

  public Quota {
    if (guaranteed < 0 || reserved < 0 || reserved > guaranteed) {
      throw new IllegalArgumentException(
          "%d milli-GPU guaranteed and %d reserved; give 0 or more, and reserve at most the guaranteed"
              .formatted(guaranteed, reserved));
    }
    if (limit < guaranteed || limit > UNLIMITED) {
      throw new IllegalArgumentException(
          "a limit of %d milli-GPU; give at least the guaranteed %d and at most %d"
              .formatted(limit, guaranteed, UNLIMITED));
    }
    if (weight < 0 || weight > HIGHEST_WEIGHT) {
      throw new IllegalArgumentException(
          "a weight of %d; give 0 to %d".formatted(weight, HIGHEST_WEIGHT));
    }
  }

  /** For interactive work: a fixed amount, always available, never more. */
  public static Quota build(long milli) {
    return new Quota(milli, 0, milli, 0, 0);
  }

  /** For training: a guaranteed amount, and by weight what is left over. */
  public static Quota train(long guaranteed, int weight) {
    return new Quota(guaranteed, 0, UNLIMITED, weight, 0);
  }

  /** An amount in cards, {@code 2.5} for 2,500 milli-GPU. */
  public static String cards(long milli) {
    return BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString();
  }

  public Quota withLimit(long milli) {
    return new Quota(guaranteed, reserved, milli, weight, priority);
  }

  public Quota withPriority(int value) {
    return new Quota(guaranteed, reserved, limit, weight, value);
  }
}
