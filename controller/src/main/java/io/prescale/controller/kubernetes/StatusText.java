package io.prescale.controller.kubernetes;

import java.util.Locale;

/** Names of constants as Kubernetes writes reasons: NEVER_BELOW_OBSERVED is NeverBelowObserved. */
final class StatusText {
  private StatusText() {}

  static String reason(Enum<?> constant) {
    var text = new StringBuilder();
    for (String word : constant.name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
