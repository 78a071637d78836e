package io.prescale.controller.simulation.cards;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.simulation.cards.SharedCards.Happened;
import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.HpaSimulation;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Services and Jobs on the same cards, under one rule. Used once. */
final class SharingRun {
  private static final Duration SYNC = Duration.ofSeconds(15);
  private static final int SYNCS = 4;

  /** The cold start and a tick, and the window of which the highest demand is served. */
  private static final Duration AHEAD =
      SharedService.COLD_START.plusMinutes(1).plus(ForecastSettings.defaults().window());

  /**
   * How cards are shared.
   *
   * @param trainingMilli what Jobs may have at most
   * @param policy on which Jobs give cards back
   * @param factor by which the forecasts that lead to bookings are wrong on purpose; empty without
   *     bookings
   * @param together whether services may have the cards that are kept for each other
   */
  record Rule(
      String name,
      long trainingMilli,
      ReclaimPolicy policy,
      Optional<Double> factor,
      boolean together) {
    /** Only bookings of one price share cards, so each gets a price of its own, by a little. */
    double price(String workload) {
      return SharedService.RISK.shortagePrice() + (together ? 0 : workload.hashCode() * 1e-12);
    }
  }

  /**
   * What came of it.
   *
   * @param overloadedShare of the time, the mean of the services
   * @param unservedShare of the demand of all
   * @param highestMilli the most that services held at once
   * @param jobHours card-hours of work that was not lost
   * @param lostHours card-hours of work that was lost
   * @param startHours card-hours in which Jobs started
   * @param usedHours card-hours kept for replicas that were there within the next hour
   * @param vainHours card-hours kept for others
   */
  record Result(
      Rule rule,
      double overloadedShare,
      double unservedShare,
      long highestMilli,
      double replicaHours,
      double jobHours,
      double lostHours,
      double startHours,
      double usedHours,
      double vainHours,
      Map<What, Integer> happened) {
    int count(What what) {
      return happened.getOrDefault(what, 0);
    }
  }

  private final Rule rule;
  private final CardScheduler scheduler;
  private final SharedCards shared;
  private final List<Live> services;
  private final IntFunction<PausableJob> jobs;
  private final Map<What, Integer> happened = new EnumMap<>(What.class);
  private Optional<PausableJob> newest = Optional.empty();
  private int submitted;
  private long highestMilli;
  private double jobMilliSyncs;

  /**
   * @param jobs makes the Job of a number
   */
  SharingRun(
      Rule rule,
      List<NodeFacts> nodes,
      long cardsMilli,
      List<SharedService> services,
      IntFunction<PausableJob> jobs) {
    this.rule = rule;
    this.jobs = jobs;
    scheduler =
        new CardScheduler(
            nodes,
            List.of(
                new QueueEntry("serving", Optional.empty(), Quota.train(cardsMilli, 1)),
                new QueueEntry(
                    "training",
                    Optional.empty(),
                    Quota.train(0, 1).withLimit(rule.trainingMilli()))));
    shared = new SharedCards(scheduler, Map.of("training", rule.policy()));
    this.services = services.stream().map(Live::new).toList();
  }

  private final class Live {
    final SharedService service;
    final HpaSimulation hpa;
    final ReplicasAhead ahead;
    final Map<String, Instant> pods = new HashMap<>();
    final List<String> order = new ArrayList<>();
    int created;
    final KeptMinutes kept = new KeptMinutes();
    long overloaded;
    double unserved;
    double replicaSyncs;

    Live(SharedService service) {
      this.service = service;
      hpa =
          new HpaSimulation(
              service.rules(),
              service.capacityPerReplica(),
              new ColdStart.Constant(Duration.ZERO),
              HpaRules.replicasFor(1.25 * service.demandAt(0), service.capacityPerReplica()),
              new SplittableRandom(0));
      ahead =
          new ReplicasAhead(
              service.pods(),
              service.capacityPerReplica() / rule.factor().orElse(1.0),
              service.maxReplicas(),
              rule.price(service.pods().workload()),
              Set.copyOf(scheduler.nodes()));
      scale(service.time(0).minus(Duration.ofDays(1)));
    }

    int ready(Instant now) {
      return (int)
          pods.values().stream()
              .filter(at -> !at.plus(SharedService.COLD_START).isAfter(now))
              .count();
    }

    void scale(Instant now) {
      while (order.size() < hpa.currentReplicas()) {
        var name = "%s-%d".formatted(service.pods().workload(), created++);
        scheduler.create(List.of(service.pods().pod(name, Optional.empty(), now)), now);
        order.add(name);
        observe(now);
      }
      while (order.size() > hpa.currentReplicas()) {
        var name =
            order.stream()
                .filter(it -> !pods.containsKey(it))
                .reduce((_, last) -> last)
                .orElse(order.getLast());
        order.remove(name);
        pods.remove(name);
        scheduler.delete(name);
      }
    }

    void observe(Instant now) {
      order.stream()
          .filter(name -> scheduler.nodeOf(name).isPresent())
          .forEach(name -> pods.putIfAbsent(name, now));
    }

    void measure(int minute, Instant now) {
      double demand = service.demandAt(minute);
      if (Double.isNaN(demand)) {
        return;
      }
      double capacity = ready(now) * service.capacityPerReplica();
      overloaded += demand > capacity * (1 + 1e-9) ? 1 : 0;
      unserved += Math.max(0, demand - capacity) / service.capacityPerReplica();
      replicaSyncs += order.size();
    }
  }

  Result run() {
    int minutes = services.stream().mapToInt(it -> it.service.minutes()).min().orElseThrow();
    double demand = 0;
    for (int minute = 0; minute < minutes; minute++) {
      demand += minute(minute);
    }
    double syncs = (double) SYNCS * minutes;
    return new Result(
        rule,
        services.stream().mapToDouble(it -> it.overloaded / syncs).average().orElseThrow(),
        services.stream().mapToDouble(it -> it.unserved).sum() / demand,
        highestMilli,
        services.stream().mapToDouble(it -> it.replicaSyncs).sum() / SYNCS / 60,
        shared.work().toMinutes() / 60.0,
        shared.lost().toMinutes() / 60.0,
        jobMilliSyncs / 1000 / SYNCS / 60 - shared.work().plus(shared.lost()).toMinutes() / 60.0,
        services.stream().mapToDouble(it -> it.kept.hours(true)).sum(),
        services.stream().mapToDouble(it -> it.kept.hours(false)).sum(),
        happened);
  }

  /** Returns the demand, in replicas, summed over the syncs. */
  private double minute(int minute) {
    var first = services.getFirst().service.time(minute);
    if (minute % SharedService.STEP_MINUTES == 0) {
      book(minute, first);
    }
    for (int sync = 0; sync < SYNCS; sync++) {
      var now = first.plus(SYNC.multipliedBy(sync));
      for (var live : services) {
        live.hpa.sync(live.service.served().get(minute).orElse(Double.NaN));
        live.scale(now);
      }
      shared.round(now);
      services.forEach(it -> it.observe(now));
      services.forEach(it -> it.measure(minute, now));
      jobMilliSyncs += usedMilli("training");
      shared.pass(SYNC);
    }
    var expected = shared.expected();
    services.forEach(
        it -> it.kept.pass(it.pods.size(), "serving/" + it.service.pods().workload(), expected));
    fill(first);
    shared.happened().stream()
        .map(Happened::what)
        .forEach(it -> happened.merge(it, 1, Integer::sum));
    highestMilli = Math.max(highestMilli, usedMilli("serving"));
    double demand = 0;
    for (var live : services) {
      var observed = live.service.demandAt(minute);
      demand += Double.isNaN(observed) ? 0 : SYNCS * observed / live.service.capacityPerReplica();
    }
    return demand;
  }

  private long usedMilli(String queue) {
    return scheduler.ledger().queues().stream()
        .filter(it -> it.name().equals(queue))
        .mapToLong(it -> it.usedMilli())
        .sum();
  }

  /** Of all Jobs one waits, so that whatever services leave over is wanted. */
  private void fill(Instant now) {
    while (newest.filter(job -> !shared.isRunning(job) && !job.hasBegun()).isEmpty()) {
      var job = jobs.apply(submitted++);
      shared.submit(job, now);
      newest = Optional.of(job);
    }
  }

  private void book(int minute, Instant now) {
    if (rule.factor().isEmpty()) {
      return;
    }
    var bookings = new ArrayList<Booking>();
    for (var live : services) {
      live.service
          .paths()
          .get(minute / SharedService.STEP_MINUTES)
          .ifPresent(path -> live.ahead.forecast(path, AHEAD, now));
      live.ahead.booking(now).ifPresent(bookings::add);
    }
    shared.book(bookings);
  }
}
