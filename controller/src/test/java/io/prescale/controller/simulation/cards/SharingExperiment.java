package io.prescale.controller.simulation.cards;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.CsvTrace;
import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.input.GeneratedLoad;
import io.prescale.controller.input.InputException;
import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import io.prescale.controller.simulation.cards.SharingRun.Result;
import io.prescale.controller.simulation.cards.SharingRun.Rule;
import io.prescale.forecasting.TimeSeries;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Services and Jobs on the same cards, under each way of sharing them; prints a table.
 *
 * <p>Arguments: a folder of traces (CSV with timestamp and value, one a minute, 14 whole days or
 * more; others are left out) and one with openb's nodes.csv and pods-default.csv: each service
 * needs 24 cards at its peak, and the last eight days are lived through; what precedes them is
 * history. Or, for generated loads, nodes and Jobs, the number of services, that of their replicas
 * at the peak, and the days of history and of life. By default 6, 24, 8 and 8.
 */
final class SharingExperiment {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int DAY = 24 * 60;
  private static final int LIVE_DAYS = 8;
  private static final int SHORTEST_DAYS = 14;
  private static final Instant END = Instant.parse("2026-02-02T00:00:00Z");
  private static final int CARDS_OF_NODE = 8;
  private static final Duration GRACE = Duration.ofMinutes(10);
  private static final int MANY = 1_000_000;
  private static final String FREE = "nothing reserved or taken back";

  /** Of eight cards each, in openb; which model they are does not matter here. */
  private static final String MODEL = "G2";

  private final List<NodeFacts> nodes;
  private final List<SharedService> services;
  private final List<Work> jobs;

  /** A Job of one pod. */
  private record Work(int cards, Duration time) {}

  private SharingExperiment(List<NodeFacts> nodes, List<SharedService> services, List<Work> jobs) {
    this.nodes = nodes;
    this.services = services;
    this.jobs = jobs;
  }

  /** Generated services of so many days, and a fifth more cards than their peaks need together. */
  static SharingExperiment generated(int services, int replicas, int history, int days)
      throws InterruptedException {
    var all = new ArrayList<SharedService>();
    for (int i = 0; i < services; i++) {
      var load = new GeneratedLoad(DemoTrace.PROFILE.later(1.5 * i), 11 + i);
      var demand =
          IntStream.range(0, (history + days) * DAY).mapToDouble(_ -> load.next()).toArray();
      var series = TimeSeries.of(Instant.parse("2026-01-05T00:00:00Z"), MINUTE, demand);
      all.add(SharedService.of("service-" + i, series, history * DAY, replicas));
    }
    var jobs =
        IntStream.range(0, 60)
            .mapToObj(i -> new Work(i % 3 == 0 ? 4 : 2, Duration.ofHours(2L + i % 5)))
            .toList();
    int cards = Math.ceilDiv(services * replicas * 6, 5);
    var names =
        IntStream.range(0, Math.ceilDiv(cards, CARDS_OF_NODE)).mapToObj(i -> "node-" + i).toList();
    return new SharingExperiment(nodes(names), all, jobs);
  }

  private static List<NodeFacts> nodes(List<String> names) {
    return names.stream().map(name -> Nodes.a100(name, CARDS_OF_NODE)).toList();
  }

  private static SharingExperiment of(Path traces, Path openb)
      throws IOException, InputException, InterruptedException {
    var services = new ArrayList<SharedService>();
    List<Path> files;
    try (var list = Files.list(traces)) {
      files =
          list.filter(it -> it.getFileName().toString().startsWith("cluster-")).sorted().toList();
    }
    for (var file : files) {
      var series =
          TimeSeries.fromSamples(
                  new CsvTrace(CsvFile.of(file), ZoneOffset.UTC).read().samples(), MINUTE)
              .series();
      var days = wholeDays(series);
      if (days.size() >= SHORTEST_DAYS * DAY) {
        var name = file.getFileName().toString().replace(".csv", "");
        services.add(SharedService.of(name, days, days.size() - LIVE_DAYS * DAY, 24));
      }
    }
    int needed = Math.ceilDiv(services.size() * 24 * 6, 5 * CARDS_OF_NODE);
    var names =
        Files.readAllLines(openb.resolve("nodes.csv")).stream()
            .map(line -> line.split(",", -1))
            .filter(fields -> fields[4].equals(MODEL) && fields[3].equals("8"))
            .map(fields -> fields[0])
            .limit(needed)
            .toList();
    return new SharingExperiment(nodes(names), services, jobs(openb.resolve("pods-default.csv")));
  }

  /** From midnight to midnight, moved by whole days so that all series end together. */
  private static TimeSeries wholeDays(TimeSeries series) {
    var midnight =
        series.start().plus(Duration.ofDays(1)).minusMillis(1).truncatedTo(ChronoUnit.DAYS);
    int from = series.indexOf(midnight);
    int days = (series.size() - from) / DAY;
    return TimeSeries.of(
        END.minus(Duration.ofDays(days)), MINUTE, series.slice(from, from + days * DAY).toArray());
  }

  /** The pods that ask for whole cards, in their order, each for as long as it lived. */
  private static List<Work> jobs(Path pods) throws IOException {
    return Files.readAllLines(pods).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .filter(fields -> fields[4].equals("1000") && !fields[10].isEmpty())
        .map(
            fields -> {
              long seconds =
                  (long) (Double.parseDouble(fields[9]) - Double.parseDouble(fields[10]));
              return new Work(
                  Integer.parseInt(fields[3]),
                  Duration.ofSeconds(Math.clamp(seconds, 600, 86_400)));
            })
        .toList();
  }

  private PausableJob job(int number) {
    var work = jobs.get(number % jobs.size());
    var template =
        new PodTemplate(
            "research",
            "job-" + number,
            "training",
            Map.of("nvidia.com/gpu", (long) work.cards()),
            Map.of());
    return new PausableJob(template, 1, work.cards(), work.time());
  }

  /** The results: services alone, then each way of sharing. */
  List<Result> run() {
    long all = 1000L * CARDS_OF_NODE * nodes.size();
    var never = ReclaimPolicy.OFF;
    var atOnce = new ReclaimPolicy(Mode.ACT, Duration.ZERO, MANY);
    var notice = new ReclaimPolicy(Mode.ACT, GRACE, MANY);
    var alone = run(new Rule("services alone", 0, never, Optional.empty(), true), all);
    return List.of(
        alone,
        run(
            new Rule(
                "their peak reserved", all - alone.highestMilli(), never, Optional.empty(), true),
            all),
        run(new Rule(FREE, all, never, Optional.empty(), true), all),
        run(
            new Rule(
                "taken back at once, when a replica waits", all, atOnce, Optional.empty(), true),
            all),
        run(
            new Rule("with notice, when a replica waits", all, notice, Optional.empty(), true),
            all),
        run(new Rule("booked ahead, with notice", all, notice, Optional.of(1.0), true), all),
        run(new Rule("… each service for itself", all, notice, Optional.of(1.0), false), all),
        run(new Rule("… by forecasts × 2", all, notice, Optional.of(2.0), true), all),
        run(new Rule("… by forecasts ÷ 2", all, notice, Optional.of(0.5), true), all));
  }

  private Result run(Rule rule, long cardsMilli) {
    return new SharingRun(rule, nodes, cardsMilli, services, this::job).run();
  }

  /** The table in Markdown. */
  static String table(List<Result> results) {
    var text = new StringBuilder();
    text.append("| Cards | Overload | Jobs' card-hours | lost | Notices, withdrawn | Pauses |\n");
    text.append("|---|---:|---:|---:|---:|---:|\n");
    double free =
        results.stream()
            .filter(it -> it.rule().name().equals(FREE))
            .findFirst()
            .orElseThrow()
            .jobHours();
    for (var it : results) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.2f %% | %,.0f (%.0f %%) | %,.0f | %d, %d | %d |%n",
              it.rule().name(),
              100 * it.overloadedShare(),
              it.jobHours(),
              100 * it.jobHours() / free,
              it.lostHours(),
              it.count(What.NOTIFIED),
              it.count(What.WITHDRAWN),
              it.count(What.SUSPENDED)));
    }
    return text.toString();
  }

  /** Where the card-hours went, in Markdown. */
  private String hours(List<Result> results) {
    var text = new StringBuilder();
    text.append("| Card-hours | Services | Jobs' work | starts | kept, used | in vain | other |\n");
    text.append("|---|---:|---:|---:|---:|---:|---:|\n");
    double all = CARDS_OF_NODE * nodes.size() * services.getFirst().minutes() / 60.0;
    for (var it : results) {
      double other =
          all
              - it.replicaHours()
              - it.jobHours()
              - it.startHours()
              - it.usedHours()
              - it.vainHours();
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f |%n",
              it.rule().name(),
              it.replicaHours(),
              it.jobHours(),
              it.startHours(),
              it.usedHours(),
              it.vainHours(),
              other));
    }
    return text.toString();
  }

  public static void main(String[] arguments)
      throws IOException, InputException, InterruptedException {
    var numbers =
        arguments.length == 4
            ? Stream.of(arguments).map(Integer::valueOf).toList()
            : List.of(6, 24, LIVE_DAYS, LIVE_DAYS);
    var experiment =
        arguments.length == 2
            ? of(Path.of(arguments[0]), Path.of(arguments[1]))
            : generated(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
    System.out.printf(
        Locale.ROOT,
        "%d services on %d cards.%n",
        experiment.services.size(),
        CARDS_OF_NODE * experiment.nodes.size());
    var results = experiment.run();
    System.out.println(table(results));
    System.out.println(experiment.hours(results));
  }
}
