package io.prescale.controller.plan;

import io.prescale.controller.Checkout;
import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.input.GeneratedLoad;
import io.prescale.controller.input.LoadProfile;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.PastWeeks.Known;
import io.prescale.controller.simulation.replay.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Prints how often the cards of four services together stayed within the quantiles of the weeks
 * ahead, on generated services; and what the traces beside the repository would allow.
 *
 * <p>Argument: how many sets of services of each kind; 100 by default.
 */
final class WeeksHindcast {
  private static final int SERVICES = 4;
  private static final int KNOWN = 8;
  private static final int AHEAD = 4;
  private static final int MINUTES = 15;
  private static final int SCENARIOS = 1000;
  private static final List<Integer> PASTS = List.of(3, 4, 8);
  private static final List<Integer> WEEKS = List.of(1, 2, 4);
  private static final List<Double> LEVELS = List.of(0.5, 0.9, 0.95);

  /** How the levels of weeks follow each other; half of the chance is that of all services. */
  private enum Kind {
    STEADY("4 % up or down each week", 0.04, 0, 0, 0, 1.5),
    BURSTY("the same, with six bursts a day", 0.04, 0, 0, 0, 6),
    WANDERING("5 % up or down from the week before", 0, 0.05, 0, 0, 1.5),
    GROWING("3 % a week more, and 3 % up or down", 0.03, 0, 0.03, 0, 1.5),
    JUMPING("all 30 % more in one week of ten, and 3 % up or down", 0.03, 0, 0, 0.26, 1.5);

    private final String words;
    private final double noise;
    private final double walk;
    private final double growth;
    private final double jump;
    private final double bursts;

    Kind(String words, double noise, double walk, double growth, double jump, double bursts) {
      this.words = words;
      this.noise = noise;
      this.walk = walk;
      this.growth = growth;
      this.jump = jump;
      this.bursts = bursts;
    }

    /** The demand of each service over past and coming weeks, in replicas. */
    List<double[]> services(long seed) {
      var random = new SplittableRandom(seed);
      var levels = new double[SERVICES][KNOWN + AHEAD];
      var lasting = new double[SERVICES];
      for (int week = 0; week < KNOWN + AHEAD; week++) {
        double together = random.nextGaussian();
        double step = random.nextDouble() < 0.1 ? jump : 0;
        for (int i = 0; i < SERVICES; i++) {
          double chance = (together + random.nextGaussian()) / Math.sqrt(2);
          lasting[i] += step + growth + walk * chance;
          levels[i][week] = Math.exp(lasting[i] + noise * chance);
        }
      }
      return IntStream.range(0, SERVICES)
          .mapToObj(i -> service(profile(i), seed * SERVICES + i, levels[i]))
          .toList();
    }

    private LoadProfile profile(int i) {
      var it = DemoTrace.PROFILE.later(i);
      return new LoadProfile(
          it.night(),
          it.workday(),
          it.weekend(),
          it.onTheHour(),
          it.nightlyJob(),
          it.nightlyHour(),
          it.begins(),
          it.ends(),
          0,
          it.noise(),
          bursts);
    }
  }

  private static double[] service(LoadProfile profile, long seed, double[] levels) {
    var load = new GeneratedLoad(profile, seed);
    return IntStream.range(0, levels.length * PastWeeks.STEPS)
        .mapToDouble(
            step ->
                IntStream.range(0, MINUTES).mapToDouble(_ -> load.next()).max().orElseThrow()
                    * levels[step / PastWeeks.STEPS]
                    / DemoTrace.CAPACITY_PER_REPLICA)
        .toArray();
  }

  /** For each level, in how many cases it held; and by how much P95 was above what came. */
  private static final class Score {
    private final int[] held = new int[LEVELS.size()];
    private double above;
    private int cases;

    void add(WeeksAhead ahead, int week, double came) {
      for (int i = 0; i < held.length; i++) {
        held[i] += came <= ahead.inWeek(week, LEVELS.get(i)) ? 1 : 0;
      }
      above += ahead.inWeek(week, LEVELS.getLast()) / came;
      cases++;
    }

    String text() {
      return "%3d %3d %3d x%.2f"
          .formatted(
              Math.round(100.0 * held[0] / cases),
              Math.round(100.0 * held[1] / cases),
              Math.round(100.0 * held[2] / cases),
              above / cases);
    }
  }

  private WeeksHindcast() {}

  private static WeeksAhead ahead(List<double[]> services, int past, List<WeekDraws> draws) {
    int end = KNOWN * PastWeeks.STEPS;
    var bounds = List.of(new Bounds(AHEAD * PastWeeks.STEPS, 1, 1000));
    var known = new ArrayList<WeeksAhead.Service>();
    for (var demand : services) {
      var seen = Arrays.copyOfRange(demand, end - past * PastWeeks.STEPS, end);
      if (PastWeeks.of(seen) instanceof Known.Enough(var weeks)) {
        known.add(new WeeksAhead.Service(weeks, bounds, 1));
      }
    }
    return WeeksAhead.of(known, draws, 1);
  }

  private static double came(List<double[]> services, int week) {
    int from = (KNOWN + week - 1) * PastWeeks.STEPS;
    return IntStream.range(from, from + PastWeeks.STEPS)
        .mapToDouble(
            step ->
                services.stream().mapToDouble(it -> Math.max(1, Math.ceil(it[step] - 1e-9))).sum())
        .max()
        .orElseThrow();
  }

  private static List<WeekDraws> narrow(List<WeekDraws> draws) {
    return draws.stream()
        .map(it -> new WeekDraws(it.weeks(), it.growths(), it.again(), List.of()))
        .toList();
  }

  @SuppressWarnings("SystemOut")
  private static void print(Kind kind, int sets) {
    System.out.println(kind + ": " + kind.words);
    for (int past : PASTS) {
      var scores = IntStream.range(0, 2 * WEEKS.size()).mapToObj(_ -> new Score()).toList();
      for (int set = 0; set < sets; set++) {
        var services = kind.services(1000L + set);
        var draws = WeekDraws.of(SCENARIOS, AHEAD, KNOWN, new SplittableRandom(set));
        var wide = ahead(services, past, draws);
        var narrow = ahead(services, past, narrow(draws));
        for (int i = 0; i < WEEKS.size(); i++) {
          double came = came(services, WEEKS.get(i));
          scores.get(i).add(wide, WEEKS.get(i), came);
          scores.get(WEEKS.size() + i).add(narrow, WEEKS.get(i), came);
        }
      }
      System.out.printf(
          "%d weeks known; 1, 2, 4 ahead: %s; not widened: %s%n",
          past,
          String.join(" | ", scores.subList(0, 3).stream().map(Score::text).toList()),
          String.join(" | ", scores.subList(3, 6).stream().map(Score::text).toList()));
    }
  }

  /** The traces are too short to be judged by; this says so of each. */
  @SuppressWarnings("SystemOut")
  private static void printTraces() throws IOException {
    var folder = Checkout.shared().resolve("traces");
    if (!Files.isDirectory(folder)) {
      System.out.println("There is no ../shared/traces.");
      return;
    }
    try (var files = Files.newDirectoryStream(folder, "cluster-*.csv")) {
      for (var file : files) {
        int weeks = SharedFolder.read(file).size() / MINUTES / PastWeeks.STEPS;
        System.out.printf("%s: %d whole weeks%n", file.getFileName(), weeks);
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    int sets = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
    for (var kind : Kind.values()) {
      print(kind, sets);
    }
    printTraces();
  }
}
