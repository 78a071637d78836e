package io.prescale.controller.operator.status;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Names of constants as Kubernetes writes reasons: NEVER_BELOW_OBSERVED is NeverBelowObserved. */
public final class StatusText {
  private StatusText() {}

  /** A constant's name as a reason. */
  public static String reason(Enum<?> constant) {
    var text = new StringBuilder();
    for (String word : constant.name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  /** The constant that is written so; empty when there is none. */
  public static <E extends Enum<E>> Optional<E> constant(Class<E> type, @Nullable String reason) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> reason(constant).equals(reason))
        .findFirst();
  }
}
