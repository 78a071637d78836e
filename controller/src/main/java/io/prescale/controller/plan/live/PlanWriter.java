package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.LiveTargets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
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
 * Makes the plan of the cluster again and again while this replica leads, and writes it to the
 * status of the CapacityPlan {@value CapacityPlan#NAME}. A round that fails is logged, and the next
 * one begins anew.
 */
public final class PlanWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanWriter.class);

  /** Until a new leader looks for the first time. */
  private static final Duration FIRST = Duration.ofSeconds(10);

  /** Who else waits is planned without a forecast until the next round. */
  private static final Duration LONGEST_FORECASTING = Duration.ofMinutes(5);

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final BooleanSupplier leads;
  private final PlanSettings settings;
  private final InstantSource clock;
  private final Consumer<Optional<CapacityPlanStatus>> planned;
  private final ServiceForecasts forecasts;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("plan").factory());

  /**
   * A writer that has not started.
   *
   * @param client of its own, which is closed with it
   * @param namespaces whose PredictiveHPAs count; empty for all
   * @param leads whether this replica is the one that writes
   * @param planned is called with every plan that was written, and with nothing while none is
   */
  public PlanWriter(
      KubernetesClient client,
      Set<String> namespaces,
      LiveTargets targets,
      MetricSource source,
      BooleanSupplier leads,
      PlanSettings settings,
      InstantSource clock,
      Consumer<Optional<CapacityPlanStatus>> planned) {
    this.client = client;
    this.namespaces = Set.copyOf(namespaces);
    this.leads = leads;
    this.settings = settings;
    this.clock = clock;
    this.planned = planned;
    forecasts = new ServiceForecasts(targets, source);
  }

  /** Begins. */
  public void start() {
    var _ =
        thread.scheduleWithFixedDelay(
            this::round, FIRST.toSeconds(), settings.every().toSeconds(), TimeUnit.SECONDS);
  }

  private void round() {
    try {
      if (leads.getAsBoolean()) {
        plan();
      } else {
        planned.accept(Optional.empty());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the process ends
    } catch (KubernetesClientException e) {
      LOG.warn("The plan of the cluster could not be made: {}", ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("The plan of the cluster could not be made.", e);
    }
  }

  private void plan() throws InterruptedException {
    var round = new PlanRound(client, resources(), clock.instant());
    forecast(round.services());
    var now = clock.instant();
    var before =
        Optional.ofNullable(client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get());
    var status =
        round.status(
            it -> forecasts.known(it, now),
            before.map(CapacityPlan::getStatus),
            settings.question(),
            now);
    if (leads.getAsBoolean()) {
      write(before, status);
      planned.accept(Optional.of(status));
    }
  }

  private List<PredictiveHPA> resources() {
    var all = client.resources(PredictiveHPA.class);
    var found = new ArrayList<PredictiveHPA>();
    if (namespaces.isEmpty()) {
      found.addAll(all.inAnyNamespace().list().getItems());
    }
    namespaces.forEach(name -> found.addAll(all.inNamespace(name).list().getItems()));
    found.sort(Comparator.comparing(PlanRound::name));
    return found;
  }

  private void forecast(List<PredictiveHPA> services) throws InterruptedException {
    var end = clock.instant().plus(LONGEST_FORECASTING);
    forecasts.retain(Set.copyOf(services.stream().map(it -> it.getMetadata().getUid()).toList()));
    for (var service : services) {
      Instant now = clock.instant();
      if (now.isAfter(end) || !leads.getAsBoolean()) {
        return;
      }
      if (forecasts.isDue(service, now)) {
        forecasts.renew(service, PlanRound.lead(service), now);
      }
    }
  }

  private void write(Optional<CapacityPlan> before, CapacityPlanStatus status) {
    var plan =
        before.orElseGet(
            () -> {
              var fresh = new CapacityPlan();
              fresh.getMetadata().setName(CapacityPlan.NAME);
              return client.resource(fresh).create();
            });
    plan.setStatus(status);
    client.resource(plan).updateStatus();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
  }
}
