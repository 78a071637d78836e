package io.prescale.placement.inventory;

import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads quantities of Kubernetes in annotations: whole numbers with a suffix. */
final class Quantities {
  private static final Pattern NUMBER = Pattern.compile("(?<number>\\d{1,15})(?<suffix>\\w{0,2})");
  private static final Map<String, Long> FACTORS =
      Map.of(
          "",
          1L,
          "k",
          1_000L,
          "M",
          1_000_000L,
          "G",
          1_000_000_000L,
          "T",
          1_000_000_000_000L,
          "Ki",
          1L << 10,
          "Mi",
          1L << 20,
          "Gi",
          1L << 30,
          "Ti",
          1L << 40);
  private static final long MOST = Long.MAX_VALUE >> 20;

  private Quantities() {}

  /** Bytes as MiB, rounded up; empty for an empty text. */
  static OptionalLong mebibytes(String text) throws MalformedEntryException {
    var bytes = whole(text);
    return bytes.isEmpty() ? bytes : OptionalLong.of(Math.ceilDiv(bytes.getAsLong(), 1L << 20));
  }

  /** The amount; empty for an empty text. */
  static OptionalLong whole(String text) throws MalformedEntryException {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    var matcher = NUMBER.matcher(text);
    var factor = matcher.matches() ? FACTORS.get(matcher.group("suffix")) : null;
    if (factor == null) {
      throw new MalformedEntryException(
          "%s is not an amount; give a whole number such as 50 or 8Gi"
              .formatted(Text.quoted(text)));
    }
    long number = Long.parseLong(matcher.group("number"));
    return OptionalLong.of(number > MOST / factor ? MOST : number * factor);
  }
}
