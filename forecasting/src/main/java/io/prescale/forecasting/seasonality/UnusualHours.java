package io.prescale.forecasting.seasonality;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds hours whose demand is far outside of what like hours had, which makes it likely that
 * something was wrong. Hours are alike if the local time of day is the same and both days, or
 * neither, are of a weekend or holidays.
 *
 * <p>An hour is judged if at least four like ones are known and, without the lowest and the highest
 * of these, lie within a factor of {@value #FAR}: services whose hours differ by more have none. It
 * is far outside below the lowest of these divided by that factor, or above the highest times it.
 */
public final class UnusualHours {
  private static final double FAR = 3;
  private static final Set<DayOfWeek> WEEKEND = EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
  private static final int LEAST_KNOWN = 4;

  /** What lasts longer is another level of demand. */
  private static final int LONGEST_HOURS = 48;

  private final TimeSeries hours;
  private final ZoneId zone;
  private final EventCalendar calendar;
  private final Map<Kind, List<Integer>> known = new HashMap<>();

  private UnusualHours(TimeSeries hours, ZoneId zone, EventCalendar calendar) {
    this.hours = hours;
    this.zone = zone;
    this.calendar = calendar;
    for (int i = 0; i < hours.size(); i++) {
      if (isKnown(i)) {
        known.computeIfAbsent(kind(i), _ -> new ArrayList<>()).add(i);
      }
    }
  }

  private record Kind(int localHour, boolean isFree) {}

  private enum Side {
    UNKNOWN,
    USUAL,
    BELOW,
    ABOVE
  }

  /**
   * Hours in a row, all far below or all far above.
   *
   * @param end exclusive
   * @param timesUsual mean demand, relative to the mean of the medians of like hours
   */
  public record UnusualStretch(Instant start, Instant end, double timesUsual) {}

  /**
   * Those of a series that were over before its last hour, in order of time; none of a series with
   * steps that do not divide an hour. O(hours · days).
   *
   * @param zone whose days demand follows
   * @param calendar of holidays, and of events and excluded windows, whose hours count as unknown
   */
  public static List<UnusualStretch> in(TimeSeries series, ZoneId zone, EventCalendar calendar) {
    long perHour = Duration.ofHours(1).dividedBy(series.step());
    return perHour < 1 || !series.step().multipliedBy(perHour).equals(Duration.ofHours(1))
        ? List.of()
        : new UnusualHours(series.coarsen(Math.toIntExact(perHour)), zone, calendar).all();
  }

  private List<UnusualStretch> all() {
    var sides = IntStream.range(0, hours.size()).mapToObj(this::side).toArray(Side[]::new);
    var all = new ArrayList<UnusualStretch>();
    int begin = 0;
    for (int i = 1; i < sides.length; i++) {
      var side = sides[begin];
      if (sides[i] != side) {
        boolean isFar = side == Side.BELOW || side == Side.ABOVE;
        if (isFar && sides[i] != Side.UNKNOWN && i - begin <= LONGEST_HOURS) {
          all.add(stretch(begin, i));
        }
        begin = i;
      }
    }
    return all;
  }

  private UnusualStretch stretch(int begin, int end) {
    double demand = IntStream.range(begin, end).mapToDouble(hours::value).sum();
    double usual = IntStream.range(begin, end).mapToDouble(i -> middle(likeHours(i))).sum();
    return new UnusualStretch(hours.time(begin), hours.time(end), demand / usual);
  }

  private Side side(int hour) {
    double[] others = isKnown(hour) ? likeHours(hour) : new double[0];
    if (others.length < LEAST_KNOWN) {
      return Side.UNKNOWN;
    }
    double low = others[1];
    double high = others[others.length - 2];
    if (!(low > 0) || high > FAR * low) {
      return Side.UNKNOWN;
    }
    double value = hours.value(hour);
    return value < low / FAR ? Side.BELOW : value > FAR * high ? Side.ABOVE : Side.USUAL;
  }

  /** What like hours had, ascending. */
  private double[] likeHours(int hour) {
    return known.getOrDefault(kind(hour), List.of()).stream()
        .filter(i -> i != hour)
        .mapToDouble(hours::value)
        .sorted()
        .toArray();
  }

  private Kind kind(int hour) {
    var local = hours.time(hour).atZone(zone);
    boolean isFree =
        WEEKEND.contains(local.getDayOfWeek()) || calendar.holidays().contains(local.toLocalDate());
    return new Kind(local.getHour(), isFree);
  }

  private boolean isKnown(int hour) {
    var begin = hours.time(hour);
    return !hours.isMissing(hour) && calendar.isOrdinary(begin, begin.plus(hours.step()));
  }

  private static double middle(double[] ascending) {
    return ascending[ascending.length / 2];
  }
}
