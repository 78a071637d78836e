package io.prescale.controller.program;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.HealthCheck;
import io.prescale.adapter.server.ApiFilter;
import io.prescale.adapter.server.TlsSettings;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.operator.Controller;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.plan.live.DayAheadRounds;
import io.prescale.controller.serving.Adapter;
import io.prescale.controller.serving.KnownPredictiveHpas;
import io.prescale.controller.serving.Registration;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.telemetry.ServingState;
import io.prescale.controller.telemetry.ServingState.Holder;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import io.prescale.controller.web.About;
import io.prescale.controller.web.ActionsView;
import io.prescale.controller.web.Gatekeeper;
import io.prescale.controller.web.PageController;
import io.prescale.controller.web.ReplaysView;
import io.prescale.controller.web.TomorrowView;
import io.prescale.controller.web.WebViews;
import io.prescale.controller.web.live.ClusterReplays;
import io.prescale.controller.web.live.ClusterWorkloads;
import io.prescale.controller.web.live.DayForecasts;
import io.prescale.controller.web.live.ExtenderCards;
import io.prescale.controller.web.live.HistoryReplays;
import io.prescale.controller.web.live.ReadersOfPredictiveHpas;
import io.prescale.controller.web.live.WrittenPlan;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The parts of {@link ControllerProgram}. None starts when it is made. */
@Factory
@Requires(env = ControllerProgram.NAME)
final class ControllerBeans {
  private static final String LISTENERS = "micronaut.server.netty.listeners.";
  private static final String ADAPTER = LISTENERS + ApiFilter.LISTENER + ".port";
  private static final String PAGE = LISTENERS + PageController.LISTENER + ".port";
  private static final Duration LONGEST_JITTER = Duration.ofMillis(200);
  private static final double REAL_TIME = 1;

  /** A third of a processor; a thousand workloads take a day. */
  private static final HistoryReplays.Pace REPLAYS =
      new HistoryReplays.Pace(Duration.ofMinutes(1), Duration.ofDays(1));

  private static final String NO_PROMETHEUS = "This replica reads no Prometheus; another one does.";

  @Singleton
  MetricReadModel readModel() {
    return new MetricReadModel();
  }

  @Singleton
  ClusterWorkloads workloads(MetricReadModel model, Clock clock) {
    return new ClusterWorkloads(model, clock);
  }

  @Singleton
  @Bean(preDestroy = "close")
  ServingClient serving(KubernetesClient client) {
    return new ServingClient(ClusterAccess.apart(client));
  }

  @Singleton
  PublishedValues published(
      ServingClient serving, ControllerProgram.Settings settings, Clock clock) {
    return new PublishedValues(serving.client(), settings.controller().leaseNamespace(), clock);
  }

  @Singleton
  @Bean(preDestroy = "close")
  StatusProjection projection(
      ServingClient serving,
      ControllerProgram.Settings settings,
      MetricReadModel model,
      PublishedValues values,
      ClusterWorkloads workloads,
      @Nullable KnownPredictiveHpas known,
      Clock clock) {
    var others = new ArrayList<ResourceEventHandler<PredictiveHPA>>();
    if (settings.pagePort() > 0) {
      others.add(workloads);
    }
    if (known != null) {
      others.add(known);
    }
    return StatusProjection.of(
        serving.client(), settings.controller().namespaces(), model, values, others, clock);
  }

  @Singleton
  HealthCheck statuses(StatusProjection projection) {
    return new HealthCheck("statuses", projection::fault);
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = ADAPTER)
  Adapter adapter(
      ServingClient serving,
      ControllerProgram.Settings settings,
      Clock clock,
      MetricReadModel model,
      List<HealthCheck> checks)
      throws IOException {
    return new Adapter(serving.client(), clock, model, settings.adapter().orElseThrow(), checks);
  }

  @Singleton
  @Requires(property = ADAPTER)
  ExternalMetricsApi externalMetrics(Adapter adapter) {
    return adapter.api();
  }

  @Singleton
  @Requires(property = ADAPTER)
  TlsSettings tls(Adapter adapter) {
    return adapter.tls();
  }

  @Singleton
  Telemetry telemetry(Clock clock, MetricReadModel model, @Nullable Adapter adapter) {
    var telemetry = new Telemetry(clock);
    if (adapter != null) {
      telemetry.serves(model, state(adapter));
    }
    return telemetry;
  }

  private static ServingState state(Adapter adapter) {
    return new ServingState(
        () -> adapter.registers() ? Optional.of(holder(adapter.registration())) : Optional.empty(),
        adapter::certificateEnds);
  }

  private static Holder holder(Registration registration) {
    return switch (registration) {
      case Registration.Ours _ -> Holder.OURS;
      case Registration.HeldBy _ -> Holder.TAKEN;
      case Registration.Unknown _ -> Holder.UNKNOWN;
    };
  }

  @Singleton
  @Bean(preDestroy = "close")
  PrometheusSource demand(ControllerProgram.Settings settings) {
    var seed = settings.controller().identity().hashCode();
    return new PrometheusSource(sourceSettings(), new SplittableRandom(seed));
  }

  /** Objects spread their ticks themselves; see {@link Controller}. */
  private static SourceSettings sourceSettings() {
    var defaults = SourceSettings.defaults();
    return new SourceSettings(
        defaults.requestsPerServer(),
        defaults.historiesPerServer(),
        defaults.patience(),
        defaults.historyPatience(),
        LONGEST_JITTER,
        defaults.firstBackOff(),
        defaults.longestBackOff());
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = ControllerProgram.LEADS, value = "true")
  Controller controller(
      KubernetesClient client,
      PublishedValues values,
      ControllerProgram.Settings settings,
      HpaFeatures features,
      PrometheusSource demand,
      Telemetry telemetry,
      @Nullable Adapter adapter,
      Clock clock) {
    return new Controller(
        client,
        settings.controller(),
        features,
        values,
        demand,
        telemetry,
        clock,
        System::nanoTime,
        () -> adapter == null ? Optional.empty() : adapter.unserved());
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = ControllerProgram.LEADS, value = "true")
  @Requires(property = PAGE)
  HistoryReplays replays(
      ClusterWorkloads workloads, Controller controller, PrometheusSource demand, Clock clock) {
    return new HistoryReplays(
        new ClusterReplays(workloads, controller.targets()),
        demand,
        clock,
        workloads::names,
        REPLAYS);
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = ControllerProgram.LEADS, value = "true")
  DayForecasts forecasts(
      ClusterWorkloads workloads, Controller controller, PrometheusSource demand, Clock clock) {
    return new DayForecasts(new ClusterReplays(workloads, controller.targets()), demand, clock);
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = ControllerProgram.FORECASTS_DAY, value = "true")
  DayAheadRounds dayAhead(
      KubernetesClient client,
      ControllerProgram.Settings settings,
      Controller controller,
      PrometheusSource demand,
      Telemetry telemetry,
      Clock clock) {
    return new DayAheadRounds(
        ClusterAccess.apart(client),
        settings.controller().namespaces(),
        controller.targets(),
        demand,
        controller::isLeader,
        settings.ahead(),
        clock,
        it -> telemetry.planned(it.madeAt(), it.written()),
        new BookedGauges(telemetry));
  }

  @Singleton
  @Requires(property = PAGE)
  Gatekeeper readers(ServingClient serving, ControllerProgram.Settings settings, Clock clock) {
    return new ReadersOfPredictiveHpas(serving.client(), settings.controller().namespaces(), clock);
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = ControllerProgram.CARDS, value = "true")
  ExtenderCards cards(ControllerProgram.Settings settings) {
    return new ExtenderCards(settings.cards().orElseThrow());
  }

  @Singleton
  @Requires(property = PAGE)
  WebViews views(
      ControllerProgram.Settings settings,
      Clock clock,
      ClusterWorkloads workloads,
      ServingClient serving,
      @Nullable ExtenderCards cards,
      @Nullable HistoryReplays replays,
      @Nullable DayForecasts forecasts) {
    return new WebViews(
        () ->
            new About(
                "Prescale",
                false,
                clock.instant(),
                REAL_TIME,
                settings.cardHourPrice(),
                Optional.empty()),
        workloads,
        Optional.ofNullable(cards),
        settings.ahead().plan().map(_ -> new WrittenPlan(serving.client(), clock)),
        replays == null ? ReplaysView.none(NO_PROMETHEUS) : replays,
        forecasts == null ? TomorrowView.none(NO_PROMETHEUS) : forecasts,
        ActionsView.none());
  }
}
