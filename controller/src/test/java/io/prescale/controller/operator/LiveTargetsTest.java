package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target whose first fit waits in a queue that is blocked by another's. */
@MockApi(crud = true)
@Timeout(120)
@NullUnmarked // the extension sets the client
class LiveTargetsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final InstantSource CLOCK = InstantSource.fixed(NOON);

  private final CountDownLatch blocked = new CountDownLatch(1);

  /** The queue asks for the time when a fit begins and when it ends. */
  private final AtomicInteger asked = new AtomicInteger();

  private final FitQueue fits = new FitQueue(1, asked::getAndIncrement);
  private final PredictiveHPA chat = PredictiveHpas.chat("requests");
  private KubernetesClient client;
  private SavedStates states;
  private LiveTargets targets;

  @BeforeEach
  void queueAFit() throws Exception {
    chat.getMetadata().setCreationTimestamp(NOON.toString());
    states = new SavedStates(client, "prescale", _ -> true, CLOCK, new Telemetry(CLOCK));
    var usual = PrometheusServer.at(URI.create("http://prometheus:9090"));
    targets =
        new LiveTargets(
            new HpaFeatures(true),
            new PrometheusServers(
                client, () -> 0, () -> Optional.of(usual), AllowedServers.of(List.of()), false),
            new Sawtooth(),
            fits,
            Duration.ofSeconds(10),
            new MemoryBudget(1 << 30),
            states,
            () -> 1);
    fits.of("other", "gate").execute(this::awaitOpening);
    var target = obtain();
    for (int minute = 0; minute < 3; minute++) {
      tick(target, NOON.plus(MINUTE.multipliedBy(minute)));
    }
  }

  @AfterEach
  void close() {
    blocked.countDown();
    fits.close();
    states.close();
  }

  @Test
  void withoutAnEditItIsFittedInItsTurn() throws Exception {
    assertThat(fitsBeside()).isPositive();
  }

  @Test
  void anEditLeavesNoFitOfTheOldSpec() throws Exception {
    chat.setSpec(PredictiveHpas.chat("tokens").getSpec());
    obtain();

    assertThat(fitsBeside()).isZero();
  }

  /** Its HPA is not written for a workload that was never read. */
  @Test
  void anEditedTargetIsAnotherOneThatIsReadFirst() throws Exception {
    assertThat(known(chat)).isPresent();

    var edited = PredictiveHpas.chat("requests");
    edited.setSpec(
        Specs.of(
            new ScaleTargetRef("apps/v1", "Deployment", "mail"),
            2,
            9,
            Mode.Active,
            List.of(Specs.query("requests", "sum(requests)", "4"))));

    assertThat(known(edited)).isEmpty();
  }

  @Test
  void aDeletionLeavesNoFit() throws Exception {
    targets.forget(chat);

    assertThat(fitsBeside()).isZero();
  }

  /** How many fits have run beside the one that blocked the queue and the one that comes last. */
  private int fitsBeside() throws InterruptedException {
    var last = new CountDownLatch(1);
    fits.of("zzz", "last").execute(last::countDown);
    blocked.countDown();
    last.await();
    return (asked.get() - 1) / 2 - 1; // of the last one only the beginning
  }

  private void awaitOpening() {
    try {
      blocked.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<LiveTarget> known(PredictiveHPA resource) throws NotReady {
    return targets.known(resource, targets.demanded(resource, Optional.empty()));
  }

  private LiveTarget obtain() throws NotReady {
    return targets.obtain(chat, targets.demanded(chat, Optional.empty()), NOON);
  }

  private static void tick(LiveTarget target, Instant now) {
    var lead = LeadTime.declared(Duration.ofMinutes(3));
    var state = new ReplicaState(3, 3, lead, Optional.empty());
    var cycle = target.cycle();
    var forecasts = cycle.forecast(cycle.observe(now, target.read(now), state));
    target.decided(cycle.decide(now, forecasts, state), state, now);
  }

  /** Requests have a history of any length at once; other metrics' does not arrive. */
  private static final class Sawtooth implements MetricSource {
    private static double at(long minute) {
      return 10 + minute % 60;
    }

    @Override
    public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now) {
      var samples =
          LongStream.rangeClosed(after.getEpochSecond() / 60 + 1, now.getEpochSecond() / 60)
              .mapToObj(minute -> new Sample(Instant.ofEpochSecond(60 * minute), at(minute)))
              .toList();
      return CompletableFuture.completedFuture(new Reading.Observed(samples));
    }

    @Override
    public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
      return CompletableFuture.completedFuture(new LatestReading.Found(List.of()));
    }

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      if (!query.promql().contains("requests")) {
        return new CompletableFuture<>();
      }
      long first = from.getEpochSecond() / 60;
      var values = new double[(int) (to.getEpochSecond() / 60 - first)];
      Arrays.setAll(values, minute -> at(first + minute));
      var series = TimeSeries.of(Instant.ofEpochSecond(60 * first), MINUTE, values);
      return CompletableFuture.completedFuture(new HistoryReading.Found(series));
    }
  }
}
