package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.DurationText;
import io.prescale.controller.input.Excerpt;
import io.prescale.controller.simulation.replay.ColdStart;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The cold start as an option gives it: constant ({@code 5m}), uniformly distributed ({@code
 * 2m..8m}) or log-normal ({@code p50=4m,p90=9m}).
 */
public final class ColdStartText {
  private static final Pattern PERCENTILES = Pattern.compile("p50=([^,]+),p90=([^,]+)");

  private ColdStartText() {}

  public static ColdStart parse(String text) {
    int dots = text.indexOf("..");
    if (dots >= 0) {
      return evenly(
          DurationText.parse(text.substring(0, dots)),
          DurationText.parse(text.substring(dots + 2)));
    }
    var percentiles = PERCENTILES.matcher(text);
    if (percentiles.matches()) {
      var p50 = DurationText.parse(percentiles.group(1));
      var p90 = DurationText.parse(percentiles.group(2));
      if (p90.compareTo(p50) < 0) {
        throw new IllegalArgumentException("the p90 of the cold start is below its p50");
      }
      return new ColdStart.LogNormal(p50, p90);
    }
    if (!DurationText.matches(text)) {
      throw new IllegalArgumentException(
          "%s is not a cold start; write a duration such as 5m, a range such as 2m..8m, or percentiles such as p50=4m,p90=9m"
              .formatted(Excerpt.quoted(text)));
    }
    return new ColdStart.Constant(DurationText.parse(text));
  }

  private static ColdStart evenly(Duration least, Duration most) {
    if (most.compareTo(least) < 0) {
      throw new IllegalArgumentException("the range of the cold start ends before it begins");
    }
    var width = most.minus(least);
    return new ColdStart.Uniform(
        least.plus(width.dividedBy(2)), least.plus(width.multipliedBy(9).dividedBy(10)));
  }
}
