package io.prescale.controller.cli.options;

import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Options are invalid, alone or in combination. The message is a sentence for the user. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }

  private UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns what the supplier makes of options, and reports an {@link IllegalArgumentException} as
   * wrong usage.
   */
  public static <T> T unlessValid(Supplier<T> supplier) {
    return unlessValid(supplier, String::valueOf);
  }

  /** The same, where the message does not name the option whose value it is about. */
  public static <T> T unlessValid(String option, Supplier<T> supplier) {
    return unlessValid(supplier, message -> option + ": " + message);
  }

  private static <T> T unlessValid(
      Supplier<T> supplier, Function<@Nullable String, String> sentence) {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw new UsageException(sentence.apply(e.getMessage()), e);
    }
  }

  /** Requires the value of an option, a whole number or a duration, to be within a range. */
  public static <T extends Comparable<T>> void requireWithin(
      String option, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new UsageException(
          "%s is %s; it must be from %s to %s."
              .formatted(option, words(value), words(least), words(most)));
    }
  }

  /** The same without an upper limit. */
  public static <T extends Comparable<T>> void requireAtLeast(String option, T value, T least) {
    if (value.compareTo(least) < 0) {
      throw new UsageException(
          "%s is %s; it must be at least %s.".formatted(option, words(value), words(least)));
    }
  }

  private static String words(Object value) {
    return value instanceof Duration it ? DurationInWords.of(it) : value.toString();
  }

  /** Requires an option to name some time. */
  public static void requirePositive(String option, Duration value) {
    if (!value.isPositive()) {
      throw new UsageException("%s must be longer than 0s.".formatted(option));
    }
  }

  /** Requires two options to be given together or not at all. */
  public static void unlessTogether(
      String one, @Nullable Object its, String other, @Nullable Object others) {
    if ((its == null) != (others == null)) {
      throw new UsageException("%s and %s belong together; give both.".formatted(one, other));
    }
  }
}
