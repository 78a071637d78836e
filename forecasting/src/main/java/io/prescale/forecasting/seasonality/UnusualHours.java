package io.prescale.forecasting.seasonality;

import io.prescale.forecasting.TimeSeries;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds hours whose demand is far outside of what like days had at that hour, which makes it likely
 * that something was wrong. Days are alike if both, or neither, are of a weekend or holidays.
 *
 * <p>An hour is judged if at least four others are known and, without the lowest and the highest,
 * lie within a factor of {@value #FAR}: services whose hours differ by more have none. It is far
 * outside below the lowest of these divided by that factor, or above the highest times it.
 */
public final class UnusualHours {
  private static final double FAR = 3;
  private static final Set<DayOfWeek> WEEKEND = EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
  private static final int LEAST_KNOWN = 4;
  private static final int HOURS_OF_A_DAY = 24;

  /** What lasts longer is another level of demand. */
  private static final int LONGEST_HOURS = 48;

  private final TimeSeries hours;
  private final boolean[] isFree;

  private UnusualHours(TimeSeries hours, ZoneId zone, Set<LocalDate> holidays) {
    this.hours = hours;
    this.isFree = new boolean[hours.size()];
    for (int i = 0; i < isFree.length; i++) {
      var day = LocalDate.ofInstant(hours.time(i), zone);
      isFree[i] = WEEKEND.contains(day.getDayOfWeek()) || holidays.contains(day);
    }
  }

  private enum Side {
    UNKNOWN(false),
    USUAL(false),
    BELOW(true),
    ABOVE(true);

    private final boolean isFar;

    Side(boolean isFar) {
      this.isFar = isFar;
    }
  }

  /**
   * Hours in a row, all far below or all far above.
   *
   * @param end exclusive
   * @param timesUsual mean demand, relative to the mean of the medians of like hours
   */
  public record UnusualStretch(Instant start, Instant end, double timesUsual) {}

  /**
   * Those of a series after which demand was as usual, in order of time; none of a series with
   * steps that do not divide an hour. O(hours · days).
   *
   * @param zone whose weekends demand follows
   * @param holidays on which it is as on a Sunday
   */
  public static List<UnusualStretch> in(TimeSeries series, ZoneId zone, Set<LocalDate> holidays) {
    long perHour = Duration.ofHours(1).dividedBy(series.step());
    return perHour < 1 || !series.step().multipliedBy(perHour).equals(Duration.ofHours(1))
        ? List.of()
        : new UnusualHours(series.coarsen(Math.toIntExact(perHour)), zone, holidays).all();
  }

  private List<UnusualStretch> all() {
    var all = new ArrayList<UnusualStretch>();
    int begin = 0;
    for (int i = 1; i < hours.size(); i++) {
      var side = side(i);
      if (side != side(begin)) {
        if (side(begin).isFar && side != Side.UNKNOWN && i - begin <= LONGEST_HOURS) {
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
    double[] others = likeHours(hour);
    if (others.length < LEAST_KNOWN || hours.isMissing(hour)) {
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

  /** What the same hour of like days had, ascending. */
  private double[] likeHours(int hour) {
    return IntStream.iterate(hour % HOURS_OF_A_DAY, i -> i < hours.size(), i -> i + HOURS_OF_A_DAY)
        .filter(i -> i != hour && isFree[i] == isFree[hour] && !hours.isMissing(i))
        .mapToDouble(hours::value)
        .sorted()
        .toArray();
  }

  private static double middle(double[] ascending) {
    return ascending[ascending.length / 2];
  }
}
