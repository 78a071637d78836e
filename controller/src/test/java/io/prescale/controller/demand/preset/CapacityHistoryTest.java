package io.prescale.controller.demand.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.demand.preset.CapacityProposal.Confidence;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Six hours of three pods of one model and one pod of another, in a real Prometheus. */
class CapacityHistoryTest {
  private static final Instant START = Instant.parse("2026-01-16T00:00:00Z");
  private static final int MINUTES = 360;
  private static final Instant END = START.plus(Duration.ofMinutes(MINUTES - 1));

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static RealPrometheus prometheus;

  @BeforeAll
  static void start() throws Exception {
    prometheus = RealPrometheus.start(folder, history());
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void takesTheMedianReplicaAtTimesAtWhichWorkWaited() throws Exception {
    var proposal = propose("busy", Duration.ofHours(5));

    assertThat(proposal.perReplica()).hasValue(250);
    assertThat(proposal.evidence())
        .isEqualTo(
            new CapacityProposal.Evidence(
                Duration.ofHours(5), Duration.ofHours(3), 3, 240, 256, OptionalDouble.of(300)));
    assertThat(proposal.confidence()).isEqualTo(Confidence.HIGH);
  }

  @Test
  void proposesNothingWhereNoReplicaWasEverFull() throws Exception {
    var proposal = propose("calm", Duration.ofHours(5));

    assertThat(proposal.perReplica()).isEmpty();
    assertThat(proposal.evidence().mostSeen()).hasValue(17);
    assertThat(proposal.evidence().replicas()).isZero();
    assertThat(proposal.confidence()).isEqualTo(Confidence.NONE);
  }

  @Test
  void knowsNothingOfAModelWithoutSeries() throws Exception {
    var proposal = propose("absent", Duration.ofHours(5));

    assertThat(proposal.perReplica()).isEmpty();
    assertThat(proposal.evidence().mostSeen()).isEmpty();
  }

  @Test
  void trustsAShortTimeLess() throws Exception {
    var at = START.plus(Duration.ofHours(3));

    assertThat(propose("busy", Duration.ofMinutes(5), at).confidence()).isEqualTo(Confidence.LOW);
    assertThat(propose("busy", Duration.ofMinutes(20), at).confidence())
        .isEqualTo(Confidence.MEDIUM);
  }

  @Test
  void refusesAWindowShorterThanTheTimeBetweenTwoLooks() throws Exception {
    try (var client = client()) {
      assertThatThrownBy(
              () -> new CapacityHistory(client, Duration.ofSeconds(30), Duration.ofMinutes(1)))
          .hasMessage(
              "the resolution is 1 min; it must be at least 1 s and at most the window, 30 s");
    }
  }

  @Test
  void everyQueryOfEveryPresetIsAcceptedByTheServer() throws Exception {
    var scope = new PresetScope(Optional.of("m"), Optional.of("team"));
    int asked = 0;
    try (var client = client()) {
      var history = new CapacityHistory(client, Duration.ofHours(1), Duration.ofMinutes(1));
      for (var preset : Presets.all()) {
        for (var signal : PresetSignal.values()) {
          var saturation = preset.query(signal).flatMap(PresetQuery::saturation);
          if (saturation.isPresent()) {
            assertThat(history.propose(saturation.get(), scope, END).perReplica()).isEmpty();
            asked++;
          }
        }
      }
    }
    assertThat(asked).isGreaterThan(3);
  }

  private static CapacityProposal propose(String model, Duration window) throws Exception {
    return propose(model, window, END);
  }

  private static CapacityProposal propose(String model, Duration window, Instant now)
      throws Exception {
    var saturation = Presets.of(PresetName.VLLM).requests().saturation().orElseThrow();
    var scope = new PresetScope(Optional.of(model), Optional.of("team"));
    try (var client = client()) {
      return new CapacityHistory(client, window, Duration.ofMinutes(1))
          .propose(saturation, scope, now);
    }
  }

  private static PrometheusClient client() throws Exception {
    return new PrometheusClient(PrometheusServer.at(prometheus.url()), Patience.defaults());
  }

  private static Stream<String> history() {
    return Stream.of(
            Stream.of("# TYPE vllm:num_requests_running gauge"),
            running("busy", "a", 240, 40),
            running("busy", "b", 250, 300),
            running("busy", "c", 256, 40),
            running("calm", "d", 17, 17),
            Stream.of("# TYPE vllm:num_requests_waiting gauge"),
            waiting("busy", "a"),
            waiting("busy", "b"),
            waiting("busy", "c"),
            IntStream.range(0, MINUTES).mapToObj(i -> line("waiting", "calm", "d", 0, i)))
        .flatMap(lines -> lines);
  }

  private static Stream<String> running(String model, String pod, int whenFull, int else_) {
    return IntStream.range(0, MINUTES)
        .mapToObj(i -> line("running", model, pod, isFull(i) ? whenFull : else_, i));
  }

  private static Stream<String> waiting(String model, String pod) {
    return IntStream.range(0, MINUTES)
        .mapToObj(i -> line("waiting", model, pod, isFull(i) ? 3 : 0, i));
  }

  private static boolean isFull(int minute) {
    return minute >= 120 && minute < 180;
  }

  private static String line(String metric, String model, String pod, int value, int minute) {
    return "vllm:num_requests_%s{model_name=\"%s\",namespace=\"team\",pod=\"%s\"} %d %d"
        .formatted(
            metric, model, pod, value, START.plus(Duration.ofMinutes(minute)).getEpochSecond());
  }
}
