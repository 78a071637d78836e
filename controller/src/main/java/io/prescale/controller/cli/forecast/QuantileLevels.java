package io.prescale.controller.cli.forecast;

import io.prescale.controller.input.Excerpt;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Strictly ascending levels of quantiles, as {@code --quantiles} gives them. */
public record QuantileLevels(List<Double> values) {
  private static final int MOST = 50;

  public QuantileLevels {
    values = List.copyOf(values);
    for (int i = 0; i < values.size(); i++) {
      double level = values.get(i);
      if (!(level >= 0.001 && level <= 0.999)) {
        throw new IllegalArgumentException("a quantile must be from 0.001 to 0.999, not " + level);
      }
      if (i > 0 && level <= values.get(i - 1)) {
        throw new IllegalArgumentException(
            "quantiles must be in ascending order: "
                + values.stream().map(String::valueOf).collect(Collectors.joining(", ")));
      }
    }
    if (values.isEmpty() || values.size() > MOST) {
      throw new IllegalArgumentException("give 1 to " + MOST + " quantiles");
    }
  }

  public static QuantileLevels parse(String text) {
    var levels = new ArrayList<Double>();
    for (var level : text.split(",", -1)) {
      try {
        levels.add(Double.valueOf(level.strip()));
      } catch (NumberFormatException _) {
        throw new IllegalArgumentException(
            Excerpt.quoted(text)
                + " is not a list of quantiles; write one such as 0.1,0.5,0.9,0.95");
      }
    }
    return new QuantileLevels(levels);
  }

  /** The name of a CSV column: {@code q95} for 0.95, {@code q99.9} for 0.999. */
  public static String column(double level) {
    var percent = BigDecimal.valueOf(level).movePointRight(2).stripTrailingZeros();
    return "q" + percent.toPlainString();
  }
}
