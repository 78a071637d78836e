package io.prescale.controller.cli.options;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Options that make no sense, alone or together. The message is a sentence for the user. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }

  private UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What the supplier makes of options; its refusal of them is about usage. */
  public static <T> T unlessValid(Supplier<T> supplier) {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Refuses one of two options without the other. */
  public static void unlessTogether(
      String one, @Nullable Object its, String other, @Nullable Object others) {
    if ((its == null) != (others == null)) {
      throw new UsageException("%s and %s belong together; give both.".formatted(one, other));
    }
  }
}
