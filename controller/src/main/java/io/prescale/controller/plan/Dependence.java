package io.prescale.controller.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How the errors of several forecasts go together, as scenarios. In each, every workload has a rank
 * from 1 to their number: the one that its error had among its own errors in the same past window.
 *
 * <p>So scenarios keep the dependence of the past, whatever its kind, and nothing of its size: the
 * empirical copula, reordered as by the Schaake shuffle (Clark et al., J. Hydrometeorology 5, 2004;
 * Schefzik, Thorarinsdottir and Gneiting, Statistical Science 28, 2013).
 *
 * @param ranks of each workload, all lists of one length, at most {@value #MOST}
 */
public record Dependence(Map<String, List<Integer>> ranks) {
  /** Scenarios: so many that a few of them lie beyond the 95th percentile. */
  public static final int MOST = 192;

  /** Windows of a day; who has fewer in common with the others is not compared with them. */
  private static final int FEWEST = 48;

  public Dependence {
    ranks = Map.copyOf(ranks);
    long lengths = ranks.values().stream().mapToInt(List::size).distinct().count();
    if (lengths > 1 || ranks.values().stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("every workload has one rank in each scenario");
    }
  }

  /**
   * Learns from the past. Workloads that have too little of it are taken to move with the mean of
   * the others, which overstates sums rather than understating them.
   *
   * @param past of each workload, the level of what came in its forecast, by window
   */
  public static Dependence learn(Map<String, Map<Instant, Double>> past) {
    var names = past.keySet().stream().sorted().toList();
    var known =
        new ArrayList<>(names.stream().filter(it -> of(it, past).size() >= FEWEST).toList());
    known.sort(Comparator.comparingInt((String it) -> -of(it, past).size()));
    var windows = common(past, known);
    while (known.size() > 1 && windows.size() < FEWEST) {
      known.removeLast();
      windows = common(past, known);
    }
    var sampled = sample(windows);
    int count = sampled.isEmpty() ? MOST : sampled.size();
    var ranks = new HashMap<String, List<Integer>>();
    for (var name : known) {
      ranks.put(name, ranks(sampled.stream().map(of(name, past)::get).toList()));
    }
    var others = ranks(means(List.copyOf(ranks.values()), count));
    names.forEach(name -> ranks.putIfAbsent(name, others));
    return new Dependence(ranks);
  }

  private static List<Instant> common(Map<String, Map<Instant, Double>> past, List<String> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    var windows = new TreeSet<>(of(names.getFirst(), past).keySet());
    names.forEach(name -> windows.retainAll(of(name, past).keySet()));
    return List.copyOf(windows);
  }

  private static Map<Instant, Double> of(String name, Map<String, Map<Instant, Double>> past) {
    return past.getOrDefault(name, Map.of());
  }

  /** At most {@link #MOST}, evenly over time. */
  private static List<Instant> sample(List<Instant> windows) {
    int count = Math.min(MOST, windows.size());
    return IntStream.range(0, count)
        .mapToObj(i -> windows.get((int) ((long) i * windows.size() / count)))
        .toList();
  }

  private static List<Double> means(List<List<Integer>> ranks, int count) {
    return IntStream.range(0, count)
        .mapToObj(k -> ranks.stream().mapToInt(each -> each.get(k)).average().orElse(k))
        .toList();
  }

  /** Ranks from 1 on; of equal values the earlier is lower. */
  private static List<Integer> ranks(List<Double> values) {
    var order =
        IntStream.range(0, values.size())
            .boxed()
            .sorted(Comparator.comparing(values::get))
            .toList();
    var ranks = new ArrayList<>(values.stream().map(_ -> 0).toList());
    for (int rank = 0; rank < order.size(); rank++) {
      ranks.set(order.get(rank), rank + 1);
    }
    return ranks;
  }

  /** The level of a workload in a scenario: in the middle of its share of all levels. */
  double level(String workload, int scenario) {
    var own = ranks.getOrDefault(workload, List.of());
    if (own.isEmpty()) {
      throw new IllegalArgumentException("nothing is known of " + workload);
    }
    return (own.get(scenario) - 0.5) / own.size();
  }

  /** How many scenarios there are. */
  public int scenarios() {
    return ranks.values().stream().findFirst().map(List::size).orElse(0);
  }
}
