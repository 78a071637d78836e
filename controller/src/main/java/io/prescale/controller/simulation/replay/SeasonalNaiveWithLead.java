package io.prescale.controller.simulation.replay;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Scales for what there was a week ago, half an hour early, and never for less than there is now:
 * Grafana Mimir's predictive querier scaling, a second trigger on {@code max_over_time(…[30m]
 * offset 6d23h30m)} (grafana/mimir pull request 7775).
 *
 * <p>Before a week has passed the day before takes the place of the week before; on the first day,
 * and where last week was not observed, only the newest observation counts.
 *
 * @param targetUtilization share of a ready replica's capacity that the HPA aims at
 * @param lead how early last week's demand is served
 * @param lookback length of the part of last week whose maximum is served; it ends {@code lead}
 *     ahead. Mimir's is as long as its lead, a bare {@code offset} is one minute
 */
public record SeasonalNaiveWithLead(double targetUtilization, Duration lead, Duration lookback)
    implements ReplayPolicy {

  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration DAY = Duration.ofDays(1);

  public SeasonalNaiveWithLead {
    if (!lead.isPositive() || !lookback.isPositive() || lookback.compareTo(lead) > 0) {
      throw new IllegalArgumentException("lead " + lead + ", lookback " + lookback);
    }
    if (lead.compareTo(DAY) >= 0) {
      throw new IllegalArgumentException("lead " + lead + " is not shorter than a day");
    }
  }

  /** As Mimir ships it: {@code max_over_time(…[30m] offset 6d23h30m)}. */
  public static SeasonalNaiveWithLead mimir(double targetUtilization) {
    return new SeasonalNaiveWithLead(
        targetUtilization, Duration.ofMinutes(30), Duration.ofMinutes(30));
  }

  @Override
  public String name() {
    var rule =
        equals(mimir(targetUtilization))
            ? "Mimir's rule"
            : "last week %s min early, maximum of %s min,"
                .formatted(lead.toMinutes(), lookback.toMinutes());
    return rule + " at " + Math.round(100 * targetUtilization) + " %";
  }

  @Override
  public Served next(View view) {
    var season = OptionalDouble.empty();
    if (view.minute() >= WEEK.toMinutes()) {
      season = highestEarlier(view, WEEK);
    } else if (view.minute() >= DAY.toMinutes()) {
      season = highestEarlier(view, DAY);
    }
    return Served.of(View.larger(view.newest(), season));
  }

  private OptionalDouble highestEarlier(View view, Duration season) {
    int end = view.minute() - (int) season.minus(lead).toMinutes();
    return view.highest(Math.max(0, end - (int) lookback.toMinutes()), end);
  }
}
