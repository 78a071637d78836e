package io.prescale.controller.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * For which replicas of the next hours cards are worth keeping: those whose probability p of being
 * needed satisfies p · price ≥ 1 − p, the newsvendor's critical ratio for cards that would
 * otherwise be idle. What keeping costs beyond that, such as the pause of work that has to leave,
 * is weighed where the cards are.
 *
 * <p>Forecasts made anew differ a little from the last ones. Needs that were said before are
 * therefore kept until the new forecast contradicts them clearly: a replica is dropped when it is
 * worth half as much as keeping costs, its time gets longer at once but shorter only by more than a
 * step, and its probability changes by ten points or more.
 */
public final class NeedsAhead {
  /** As many as are said of one workload. */
  public static final int MOST = 100;

  /** Of a forecast, from its beginning: the longest notice and lead time, and some slack. */
  public static final Duration HORIZON = Duration.ofHours(6);

  /** The most numbers of replicas that are looked at; of a larger workload, evenly spread ones. */
  private static final int MOST_NUMBERS = 50;

  /** Until there are more, numbers that were said stay as close together as they are. */
  private static final int MOST_SAID_NUMBERS = 60;

  private static final int POINTS = 10;
  private static final int PERCENT = 100;

  private final DemandAhead demand;
  private final Duration ahead;
  private final double worthwhile;
  private final List<ReplicaNeed> said;
  private final Instant now;

  private NeedsAhead(
      DemandAhead demand, Duration ahead, double price, List<ReplicaNeed> said, Instant now) {
    this.demand = demand;
    this.ahead = ahead;
    this.worthwhile = 1 / (1 + price);
    this.said = said;
    this.now = now;
  }

  /**
   * The needs, in the order in which they begin; at most {@value #MOST}, without the latest. O(50 ·
   * steps).
   *
   * @param ahead how long before a demand its replicas are created
   * @param price of a replica that is missing, in replicas that are idle as long
   * @param said needs that an earlier forecast led to
   */
  public static List<ReplicaNeed> of(
      DemandAhead demand, Duration ahead, double price, List<ReplicaNeed> said, Instant now) {
    if (ahead.isNegative() || !(price > 0 && Double.isFinite(price))) {
      throw new IllegalArgumentException("%s ahead, a price of %s".formatted(ahead, price));
    }
    return new NeedsAhead(demand, ahead, price, List.copyOf(said), now).needs();
  }

  private List<ReplicaNeed> needs() {
    int end = (int) Math.min(demand.steps(), HORIZON.dividedBy(demand.step()));
    int begin = 0;
    while (begin < end && !demand.time(begin + 1).isAfter(now)) {
      begin++;
    }
    var needs = new ArrayList<ReplicaNeed>();
    for (int replicas : numbers(begin, end)) {
      needs.addAll(runs(replicas, begin, end));
    }
    return mostOfEach(needs).stream()
        .map(this::asSaid)
        .sorted(
            Comparator.comparing(ReplicaNeed::from)
                .thenComparingInt(ReplicaNeed::replicas)
                .thenComparing(ReplicaNeed::until))
        .limit(MOST)
        .toList();
  }

  /**
   * The numbers of replicas that are looked at: those that can be needed and are multiples of a
   * power of two. So a forecast that is a little higher or lower has the same numbers, and one that
   * is twice as wide has half of them.
   */
  private List<Integer> numbers(int begin, int end) {
    int highest = IntStream.range(begin, end).map(h -> demand.replicas(h, 1, 1)).max().orElse(0);
    int lowest = IntStream.range(begin, end).map(h -> demand.replicas(h, 0, 1)).min().orElse(0);
    int apart = apart(highest - lowest);
    var numbers = new ArrayList<Integer>();
    for (int replicas = highest - highest % apart; replicas > lowest; replicas -= apart) {
      numbers.add(replicas);
    }
    if (lowest >= apart) {
      numbers.add(lowest - lowest % apart);
    }
    return numbers;
  }

  /** Numbers that were said closer together stay so while they are not many more. */
  private int apart(int range) {
    int apart = 1;
    while (range / apart > MOST_NUMBERS) {
      apart *= 2;
    }
    int finer = apart / 2;
    int common = apart;
    boolean isFiner = said.stream().anyMatch(it -> it.replicas() % common != 0);
    return isFiner && range / finer <= MOST_SAID_NUMBERS ? finer : apart;
  }

  /** One need for all steps in a row in which so many replicas are worth keeping cards for. */
  private List<ReplicaNeed> runs(int replicas, int begin, int end) {
    var runs = new ArrayList<ReplicaNeed>();
    int first = begin;
    double sum = 0;
    for (int h = begin; h <= end; h++) {
      double probability = h < end ? demand.probability(h, replicas) : 0;
      if (h < end && isWorthwhile(probability, replicas, h)) {
        sum += probability;
      } else {
        if (h > first) {
          runs.add(need(replicas, first, h, sum / (h - first)));
        }
        first = h + 1;
        sum = 0;
      }
    }
    return runs;
  }

  private boolean isWorthwhile(double probability, int replicas, int h) {
    return probability >= worthwhile
        || (probability >= worthwhile / 2
            && said.stream()
                .anyMatch(
                    it ->
                        it.replicas() >= replicas
                            && it.isDuring(demand.time(h), demand.time(h + 1))));
  }

  private ReplicaNeed need(int replicas, int first, int end, double probability) {
    int percent = Math.clamp(Math.round(probability * PERCENT), 1, PERCENT);
    return new ReplicaNeed(demand.time(first).minus(ahead), demand.time(end), replicas, percent);
  }

  /** Of needs that differ in nothing but the number, the largest says it all. */
  private static List<ReplicaNeed> mostOfEach(List<ReplicaNeed> needs) {
    return needs.stream()
        .filter(
            it ->
                needs.stream()
                    .noneMatch(
                        other ->
                            other.replicas() > it.replicas()
                                && other.percent() == it.percent()
                                && other.from().equals(it.from())
                                && other.until().equals(it.until())))
        .toList();
  }

  private ReplicaNeed asSaid(ReplicaNeed need) {
    return said.stream()
        .filter(it -> it.stillSays(need, demand.step(), POINTS, now))
        .findFirst()
        .orElse(need);
  }
}
