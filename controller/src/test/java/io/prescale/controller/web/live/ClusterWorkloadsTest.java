package io.prescale.controller.web.live;

import static io.prescale.controller.web.live.TeamChat.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.web.ServedNow;
import io.prescale.controller.web.WorkloadSeries;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadSummary.Scores;
import io.prescale.controller.web.WorkloadSummary.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterWorkloadsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final MetricReadModel model = new MetricReadModel();
  private Instant now = NOON;
  private final ClusterWorkloads workloads = new ClusterWorkloads(model, () -> now);
  private PredictiveHPA before = TeamChat.undecided();

  private void observe(PredictiveHPA now) {
    StatusProjection.publish(model, now);
    workloads.onUpdate(before, now);
    before = now;
  }

  private WorkloadSummary chat() {
    assertThat(workloads.workloads()).hasSize(1);
    return workloads.workloads().getFirst();
  }

  private WorkloadSeries series() {
    return workloads.series("team/chat", Optional.empty(), DAY).orElseThrow();
  }

  @Test
  void aWorkloadIsThereBeforeAnythingIsDecided() {
    workloads.onAdd(TeamChat.undecided());

    assertThat(chat().id()).isEqualTo("team/chat");
    assertThat(chat().state()).isEqualTo(State.LEARNING);
    assertThat(chat().demand()).isEmpty();
    assertThat(chat().served().state()).isEqualTo(ServedNow.State.UNKNOWN);
    assertThat(chat().served().reason()).isEqualTo("no value has been computed yet");
    assertThat(chat().capacityPerReplica()).isEmpty();
    assertThat(chat().wanted()).isEmpty();
    assertThat(chat().ready()).isEmpty();
    assertThat(chat().leadSeconds()).isEmpty();
    assertThat(chat().since()).isEmpty();
    assertThat(series().time()).isEmpty();
    assertThat(workloads.why("team/chat", NOON)).isEmpty();
    assertThat(workloads.series("team/other", Optional.empty(), DAY)).isEmpty();
  }

  @Test
  void showsTheStatus() {
    observe(TeamChat.decided(NOON, "13"));

    assertThat(chat().demand()).hasValue(13);
    assertThat(chat().served().value()).hasValue(16);
    assertThat(chat().served().state()).isEqualTo(ServedNow.State.FRESH);
    assertThat(chat().metric()).isEqualTo("requests");
    assertThat(chat().capacityPerReplica()).hasValue(4);
    assertThat(chat().wanted()).hasValue(4);
    assertThat(chat().ready()).hasValue(3);
    assertThat(chat().unplaced()).isEqualTo(1);
    assertThat(chat().scores())
        .isEqualTo(
            new Scores(OptionalDouble.of(0.12), OptionalDouble.of(0.9), OptionalDouble.of(0.94)));
    assertThat(chat().leadSeconds()).hasValue(150);
    assertThat(chat().state()).isEqualTo(State.TRUSTED);
    assertThat(chat().note()).isEqualTo("Forecasts are acted on.");
    assertThat(chat().budget()).isEqualTo(0.005);
  }

  @Test
  void aForecastStandsOneLeadTimeAfterTheStepThatItWasMadeAfter() {
    observe(TeamChat.decided(NOON.plusSeconds(7), "13"));

    assertThat(series().time().getFirst()).isEqualTo(NOON.minusSeconds(60).getEpochSecond());
    assertThat(series().now()).isEqualTo(NOON);
    assertThat(series().demand().getFirst()).hasValue(13);
    assertThat(series().served().get(1)).hasValue(16);
    assertThat(series().ready().get(1)).hasValue(3);
    assertThat(series().p50()).hasSize(4).endsWith(OptionalDouble.of(12));
    assertThat(series().p95()).endsWith(OptionalDouble.of(15));
    assertThat(series().windowSeconds()).isEqualTo(300);
  }

  @Test
  void theNewestStatusOfAMinuteStandsForIt() {
    observe(TeamChat.decided(NOON, "13"));
    observe(TeamChat.decided(NOON.plusSeconds(20), "14"));
    observe(TeamChat.decided(NOON.minusSeconds(60), "9"));

    assertThat(series().demand()).startsWith(OptionalDouble.of(14));
    assertThat(workloads.why("team/chat", NOON.plusSeconds(59)).orElseThrow().observed())
        .isEqualTo(14);
    assertThat(workloads.why("team/chat", NOON.minusSeconds(60))).isEmpty();
  }

  @Test
  void reportsTheWholeDecision() {
    observe(TeamChat.decided(NOON, "13"));
    var why = workloads.why("team/chat", NOON).orElseThrow();

    assertThat(why.reason()).isEqualTo("NEVER_BELOW_OBSERVED");
    assertThat(why.uplift()).isEqualTo(-0.5);
    assertThat(why.shortageProbability()).hasValue(0.004);
    assertThat(why.sentences())
        .contains(
            "1.1 % of the last days was short of capacity, where the budget allows 0.5 %; a"
                + " higher costLimit and about 1.4 times the replicas would keep it.");
    assertThat(why.hpa().gate()).isEqualTo("NOT_READ_YET");
    assertThat(why.lead().samples()).isEqualTo(7);
    assertThat(why.lead().ready()).isEqualTo(90);
    var forecast = why.forecast().orElseThrow();
    assertThat(forecast.p90()).isEqualTo(14);
    assertThat(forecast.season()).isEqualTo(-2.5);
    assertThat(forecast.level() + forecast.season() + forecast.correction() + forecast.event())
        .isEqualTo(forecast.p50());
    assertThat(why.sentences())
        .contains("In the step before, requests was 13.", "The HPA has not read it yet.")
        .anyMatch(sentence -> sentence.contains("A part follows gateway 12 min later."))
        .noneMatch(sentence -> sentence.contains("…"));
  }

  @Test
  void countsMinutesWithTooFewReadyReplicasAndWhatAReactiveHpaHad() {
    for (int minute = 0; minute < 8; minute++) { // three replicas are ready, 12 they carry
      observe(TeamChat.decided(NOON.plusSeconds(60L * minute), minute < 4 ? "13" : "12"));
    }

    assertThat(chat().shortSeconds()).isEqualTo(240);
    assertThat(chat().replicaHours()).isEqualTo(8 * 4 / 60.0);
    // At 3.2 requests a replica it asks for five for 13, and has them after 121 s.
    assertThat(chat().reactive().shortSeconds()).isEqualTo(180);
    assertThat(chat().reactive().wanted()).isEqualTo(5);
    assertThat(chat().reactive().replicaHours()).isEqualTo((3 + 7 * 5) / 60.0);
    assertThat(series().reactiveReady().subList(1, 9))
        .extracting(OptionalDouble::getAsDouble)
        .containsExactly(3.0, 3.0, 3.0, 5.0, 5.0, 5.0, 5.0, 5.0);
  }

  @Test
  void aReactiveHpaHasNewReplicasOnlyAfterTheirStart() {
    observe(TeamChat.decided(NOON, "9"));
    for (int minute = 1; minute < 8; minute++) {
      observe(TeamChat.decided(NOON.plusSeconds(60L * minute), "24"));
    }

    // It sees 24 after a minute, and its replicas need 121 s; from seven on it tolerates the rest.
    assertThat(series().reactiveReady().subList(1, 9))
        .extracting(OptionalDouble::getAsDouble)
        .containsExactly(3.0, 3.0, 3.0, 3.0, 7.0, 7.0, 7.0, 7.0);
    assertThat(chat().reactive().shortSeconds()).isEqualTo(180);
  }

  @Test
  void inAnOutageItShowsWhatTheMetricsApiAnswers() {
    observe(TeamChat.decided(NOON, "13"));
    observe(TeamChat.decided(NOON.plusSeconds(60), TeamChat.metric("requests", "13", "no answer")));
    observe(
        TeamChat.decided(
            NOON.plusSeconds(600),
            TeamChat.metric(
                "requests", "13", "no answer", new PlanPoint(NOON.plusSeconds(300), "24"))));
    now = NOON.plusSeconds(600);

    assertThat(chat().demand()).isEmpty();
    assertThat(chat().served())
        .isEqualTo(new ServedNow(ServedNow.State.LAST_KNOWN_GOOD, OptionalDouble.of(24), 600, ""));
    assertThat(series().demand()).startsWith(OptionalDouble.of(13), OptionalDouble.empty());
    assertThat(series().served().get(1)).hasValue(16);
    assertThat(series().served().get(11)).hasValue(24);
    assertThat(workloads.why("team/chat", NOON)).isPresent();
    assertThat(workloads.why("team/chat", now)).isEmpty();

    now = NOON.plusSeconds(901);
    assertThat(chat().served().state()).isEqualTo(ServedNow.State.UNKNOWN);
    assertThat(chat().served().value()).isEmpty();
    assertThat(chat().served().reason())
        .contains("the last one is 901 s old and may stand in for 900 s; no answer");
    observe(TeamChat.decided(now, TeamChat.metric("requests", "13", "no answer")));
    assertThat(series().served().get(16)).isEmpty();
  }

  @Test
  void everyMetricHasItsOwnSeries() {
    var tokens = TeamChat.metric("tokens", "9", null);
    observe(TeamChat.decided(NOON, tokens, TeamChat.metric("requests", "13", null)));
    observe(
        TeamChat.decided(NOON.plusSeconds(60), TeamChat.metric("requests", "14", null), tokens));

    assertThat(chat().metrics()).containsExactly("requests", "tokens");
    assertThat(chat().metric()).isEqualTo("requests");
    assertThat(series().metric()).isEqualTo("requests");
    assertThat(series().demand()).startsWith(OptionalDouble.of(13), OptionalDouble.of(14));
    var other = workloads.series("team/chat", Optional.of("tokens"), DAY).orElseThrow();
    assertThat(other.metric()).isEqualTo("tokens");
    assertThat(other.demand()).startsWith(OptionalDouble.of(9), OptionalDouble.of(9));
    assertThat(other.p95()).endsWith(OptionalDouble.of(15));
    assertThat(other.ready()).isEqualTo(series().ready());
    assertThat(workloads.series("team/chat", Optional.of("none"), DAY)).isEmpty();
    assertThat(workloads.why("team/chat", NOON).orElseThrow().metric()).isEqualTo("tokens");
    assertThat(workloads.why("team/chat", NOON.plusSeconds(60)).orElseThrow().metric())
        .isEqualTo("requests");
  }

  @Test
  void theMetricThatNeedsMostSaysWhetherReplicasAreShort() {
    var requests = TeamChat.metric("requests", "9", null);
    var tokens = TeamChat.metric("tokens", "13", null);
    observe(TeamChat.decided(NOON, requests, tokens)); // 13 need four replicas, three are ready
    observe(TeamChat.decided(NOON.plusSeconds(60), requests));

    assertThat(chat().shortSeconds()).isEqualTo(60);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NaN", "-4", "0", "1e99999999", "<b>"})
  void invalidStatusesAreNotShown(String capacity) {
    var odd = TeamChat.metric("requests", "13", null);
    observe(
        TeamChat.decided(
            NOON,
            new io.prescale.controller.api.v1alpha1.MetricStatus(
                "requests",
                capacity,
                odd.observed(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                odd.plan(),
                null,
                null,
                null,
                null,
                null,
                null,
                null)));

    assertThat(series().time()).isEmpty();
    assertThat(chat().wanted()).hasValue(4);
  }

  @Test
  void remembersADayAndForgetsWhatIsGone() {
    for (int minute = 0; minute < 1500; minute++) {
      observe(TeamChat.decided(NOON.plusSeconds(60L * minute), "13"));
    }
    assertThat(chat().shortSeconds()).isEqualTo(Duration.ofDays(1).toSeconds());
    assertThat(workloads.why("team/chat", NOON)).isEmpty();
    assertThat(workloads.resource("team/chat")).contains(before);

    workloads.onDelete(before, false);
    assertThat(workloads.workloads()).isEmpty();
    assertThat(workloads.resource("team/chat")).isEqualTo(Optional.empty());
  }
}
