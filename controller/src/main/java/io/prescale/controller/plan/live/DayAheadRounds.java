package io.prescale.controller.plan.live;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.LiveTargets;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While this replica leads: the plan of the cluster and the bookings, each again and again, on one
 * thread and from the same forecasts of the next day. A round that fails is logged, and the next
 * one begins anew.
 */
public final class DayAheadRounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DayAheadRounds.class);

  /** Until a new leader looks for the first time. */
  private static final Duration FIRST = Duration.ofSeconds(10);

  /** Services that still wait are without a forecast until the next round. */
  private static final Duration LONGEST_FORECASTING = Duration.ofMinutes(5);

  /** Where bookings are looked at: what is to be withdrawn waits no longer. */
  private static final Duration LONGEST_BESIDE_BOOKINGS = Duration.ofMinutes(1);

  /** For the plan where bookings wait meanwhile. */
  private static final Duration LONGEST_PLANNING = Duration.ofMinutes(3);

  /** Fourteen days of minutes are read within seconds. */
  private static final Duration LONGEST_READING = Duration.ofMinutes(1);

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final BooleanSupplier leads;
  private final AheadSettings settings;
  private final InstantSource clock;
  private final Consumer<PlanState> planned;
  private final Consumer<List<Booked>> booked;
  private final Forecasts forecasts;
  private boolean isWithoutBuffers; // on the thread of the rounds, as the next two
  private Optional<Instant> planningSince = Optional.empty();
  private boolean isStoredPlanKnown;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("day-ahead").factory());

  /** A round that may fail. */
  private interface Round {
    void run() throws InterruptedException;
  }

  /**
   * Rounds that have not started.
   *
   * @param client of its own, which is closed with it
   * @param namespaces whose PredictiveHPAs count; empty for all
   * @param leads whether this replica is the one that writes
   * @param planned is called with every plan that was written, and with how old the newest plan is
   *     before the first
   * @param booked is called with what every PredictiveHPA has booked that asks for it
   */
  public DayAheadRounds(
      KubernetesClient client,
      Set<String> namespaces,
      LiveTargets targets,
      MetricSource source,
      BooleanSupplier leads,
      AheadSettings settings,
      InstantSource clock,
      Consumer<PlanState> planned,
      Consumer<List<Booked>> booked) {
    this(
        client,
        namespaces,
        new ServiceForecasts(targets::recorded, source, LONGEST_READING),
        leads,
        settings,
        clock,
        planned,
        booked);
  }

  DayAheadRounds(
      KubernetesClient client,
      Set<String> namespaces,
      Forecasts forecasts,
      BooleanSupplier leads,
      AheadSettings settings,
      InstantSource clock,
      Consumer<PlanState> planned,
      Consumer<List<Booked>> booked) {
    this.client = client;
    this.namespaces = Set.copyOf(namespaces);
    this.leads = leads;
    this.settings = settings;
    this.clock = clock;
    this.planned = planned;
    this.booked = booked;
    this.forecasts = forecasts;
  }

  /** Schedules the rounds that the settings ask for. */
  public void start() {
    settings.plan().ifPresent(it -> schedule(it.every(), this::make));
    settings.bookingsEvery().ifPresent(it -> schedule(it, this::look));
  }

  private void schedule(Duration every, Runnable round) {
    var _ =
        thread.scheduleWithFixedDelay(
            round, FIRST.toSeconds(), every.toSeconds(), TimeUnit.SECONDS);
  }

  /** One plan, if this replica leads. */
  void make() {
    attempt(this::plan);
  }

  /** One look at what is to be booked, if this replica leads. */
  void look() {
    attempt(this::book);
  }

  private void attempt(Round round) {
    try {
      if (leads.getAsBoolean()) {
        round.run();
      } else {
        isWithoutBuffers = false; // another leader may ask for nodes meanwhile
        forecasts.retain(Set.of()); // and has forecasts of its own
        planningSince = Optional.empty();
        isStoredPlanKnown = false;
        planned.accept(PlanState.none());
        booked.accept(List.of());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the process ends
    } catch (KubernetesClientException e) {
      LOG.warn("The plan or the bookings could not be made: {}", ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("The plan or the bookings could not be made.", e);
    }
  }

  private void plan() throws InterruptedException {
    if (!isStoredPlanKnown) {
      lookAtStoredPlan();
    }
    var resources = resources();
    var round = new PlanRound(client, resources, PlanRound.MOST_WORKLOADS, clock.instant());
    boolean areBooked = settings.bookingsEvery().isPresent();
    forecast(round.services(), areBooked ? LONGEST_PLANNING : LONGEST_FORECASTING);
    var now = clock.instant();
    var written = new StoredPlan(client);
    var status =
        round.status(
            it -> forecasts.known(it, now),
            written.status(),
            settings.plan().orElseThrow().question(),
            now);
    if (leads.getAsBoolean()) {
      written.write(status);
      planned.accept(PlanState.of(status));
    }
  }

  /** A plan that is never written is as old as the last one, or as this replica's first attempt. */
  private void lookAtStoredPlan() {
    var since = planningSince.orElseGet(clock::instant);
    planningSince = Optional.of(since);
    planned.accept(PlanState.since(since));
    var stored = new StoredPlan(client).status().map(CapacityPlanStatus::madeAt);
    planned.accept(PlanState.since(stored.orElse(since)));
    isStoredPlanKnown = true;
  }

  /** What is known is written before anything is forecast, which takes its time. */
  private void book() throws InterruptedException {
    var now = clock.instant();
    var buffers = settings.buffers().map(it -> buffers(it, now));
    if (buffers.isEmpty() && !isWithoutBuffers) {
      isWithoutBuffers = areEnded();
    }
    var round = new BookingRound(new LiveBookings(client), buffers, resources(), leads);
    booked.accept(round.write(it -> forecasts.known(it, now), now));
    forecast(round.asking(), LONGEST_BESIDE_BOOKINGS);
  }

  private BufferRound buffers(BufferSettings terms, Instant now) {
    var stores = new ArrayList<BufferStore>();
    stores.add(new LiveProvisioning(client));
    stores.add(new LiveBuffers(client));
    terms.balloons().ifPresent(it -> stores.add(new LiveBalloons(client, it, now)));
    return new BufferRound(stores, new LiveNodes(client), terms, leads);
  }

  /** For those of a controller that asked for nodes; whether none is left. */
  private boolean areEnded() {
    try {
      int ended = new LeftBuffers(client).end(namespaces);
      if (ended > 0) {
        LOG.info("Ended {} CapacityBuffers: nodes are not asked for any more.", ended);
      }
      return ended == 0;
    } catch (KubernetesClientException e) {
      LOG.warn("CapacityBuffers may be left, and could not be deleted: {}", ApiFailure.text(e));
      return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
    }
  }

  private List<PredictiveHPA> resources() {
    var found = PlanRound.resources(client, namespaces);
    forecasts.retain(found.stream().map(it -> it.getMetadata().getUid()).collect(toSet()));
    return found;
  }

  private void forecast(List<PredictiveHPA> services, Duration longest)
      throws InterruptedException {
    var end = clock.instant().plus(longest);
    for (var service : forecasts.due(services, clock.instant())) {
      Instant now = clock.instant();
      if (now.isAfter(end) || !leads.getAsBoolean()) {
        return;
      }
      forecasts.renew(service, PlanRound.lead(service).withoutRamp(), now);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
  }
}
