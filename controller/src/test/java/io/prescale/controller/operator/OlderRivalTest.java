package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.operator.ControlLoop.Neighbours;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OlderRivalTest {
  private final PredictiveHPA older = made("older", "2026-11-21T12:00:00Z", Mode.Active, "chat");
  private final PredictiveHPA younger =
      made("a-young", "2026-11-21T12:00:01Z", Mode.Active, "chat");

  @Test
  void theYoungerOfTwoYieldsAndTheOlderDoesNot() {
    assertThat(OlderRival.of(younger, Stream.of(older, younger))).contains("older");
    assertThat(OlderRival.of(older, Stream.of(older, younger))).isEmpty();
  }

  @Test
  void theOlderKnowsTheYoungerThatYields() {
    var shadow = made("shadow", "2026-11-21T12:00:02Z", Mode.Shadow, "chat");
    var elsewhere = made("elsewhere", "2026-11-21T12:00:02Z", Mode.Active, "mail");
    var all = List.of(shadow, elsewhere, older, younger);

    assertThat(OlderRival.younger(older, all.stream())).contains("a-young");
    assertThat(OlderRival.younger(younger, all.stream())).isEmpty();
    assertThat(OlderRival.younger(older, Stream.of(shadow, elsewhere, older))).isEmpty();
  }

  @Test
  void rivalsHaveAKeyInCommonAndOthersHaveNone() {
    var mail = made("mail", "2026-11-21T12:00:00Z", Mode.Active, "mail");
    var unreadable = new PredictiveHPA();
    unreadable.setSpec(null);

    assertThat(OlderRival.keys(older)).hasSize(1).isEqualTo(OlderRival.keys(younger));
    assertThat(OlderRival.keys(mail)).doesNotContainAnyElementsOf(OlderRival.keys(older));
    assertThat(OlderRival.keys(unreadable)).isEmpty();
  }

  @Test
  void ofTwoThatWereMadeInOneSecondExactlyOneYields() {
    var twin = made("twin", "2026-11-21T12:00:00Z", Mode.Active, "chat");

    assertThat(OlderRival.of(twin, Stream.of(older, twin))).contains("older");
    assertThat(OlderRival.of(older, Stream.of(older, twin))).isEmpty();
  }

  /** Else the younger would make an HPA, and delete it when the older has decided. */
  @Test
  void theYoungerYieldsToAnOlderThatHasNotDecidedYet() {
    older.setStatus(null);
    younger.setStatus(null);
    assertThat(OlderRival.of(younger, Stream.of(older, younger))).contains("older");
    assertThat(OlderRival.of(older, Stream.of(older, younger))).isEmpty();

    older.setStatus(undecided(ConditionType.Ready, ConditionStatus.Unknown));
    assertThat(OlderRival.of(younger, Stream.of(older, younger))).contains("older");
  }

  @Test
  void anOlderThatNeverDecidesForWantOfMetricsIsNoRival() {
    older.setStatus(undecided(ConditionType.MetricsAvailable, ConditionStatus.False));

    assertThat(OlderRival.of(younger, Stream.of(older, younger))).isEmpty();
  }

  @Test
  void oneThatDoesNotScaleTheTargetOrCannotIsNoRival() {
    var shadow = made("older", "2026-11-21T12:00:00Z", Mode.Shadow, "chat");
    var elsewhere = made("older", "2026-11-21T12:00:00Z", Mode.Active, "mail");
    var going = made("older", "2026-11-21T12:00:00Z", Mode.Active, "chat");
    going.getMetadata().setDeletionTimestamp("2026-11-21T12:05:00Z");

    var broken = made("older", "2026-11-21T12:00:00Z", Mode.Active, "chat");
    broken.setStatus(
        PredictiveHpas.status(
            List.of(),
            new StatusCondition(
                ConditionType.Ready,
                ConditionStatus.False,
                3L,
                PredictiveHpas.NOON,
                ConditionReason.SecretNotFound,
                "There is no Secret.")));

    for (var other : List.of(shadow, elsewhere, going, broken)) {
      assertThat(OlderRival.of(younger, Stream.of(other, younger))).isEmpty();
    }
  }

  @Test
  void whoScalesTheTargetSeesToTheMarksOfItsPods() {
    older.setStatus(null);
    var shadow = made("shadow", "2026-11-21T11:00:00Z", Mode.Shadow, "chat");

    assertThat(beside(older, Optional.empty(), "a-young").othersMark(older))
        .as("without scaleIn, the older removes marks of the time with it")
        .isFalse();
    assertThat(beside(younger, Optional.of("older"), null).othersMark(younger)).isTrue();
    assertThat(beside(shadow, Optional.empty(), "older").othersMark(shadow)).isTrue();
    assertThat(beside(shadow, Optional.empty(), null).othersMark(shadow)).as("alone").isFalse();

    older.setStatus(undecided(ConditionType.MetricsAvailable, ConditionStatus.False));
    assertThat(beside(older, Optional.empty(), "a-young").othersMark(older))
        .as("the younger scales, and marks")
        .isTrue();
  }

  private static Neighbours beside(
      PredictiveHPA resource, Optional<String> olderRival, @Nullable String youngerRival) {
    assertThat(resource.getSpec().marksIdlestPods()).isFalse();
    return new Neighbours(
        List.of(), olderRival, Optional.ofNullable(youngerRival), Optional.empty());
  }

  private static PredictiveHPAStatus undecided(ConditionType type, ConditionStatus status) {
    var reason = type == ConditionType.Ready ? ConditionReason.Starting : ConditionReason.NoSeries;
    var condition =
        new StatusCondition(type, status, 3L, PredictiveHpas.NOON, reason, "No decision yet.");
    return new PredictiveHPAStatus(
        3L,
        Mode.Active,
        "Deployment/chat",
        2,
        2,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        List.of(),
        List.of(condition),
        null,
        null,
        null,
        null);
  }

  private static PredictiveHPA made(String name, String at, Mode mode, String deployment) {
    var resource = PredictiveHpas.chat("requests");
    resource.getMetadata().setName(name);
    resource.getMetadata().setCreationTimestamp(at);
    resource.setSpec(
        Specs.of(
            new ScaleTargetRef("apps/v1", "Deployment", deployment),
            2,
            9,
            mode,
            List.of(Specs.query("requests", "sum(requests)", "4"))));
    resource.setStatus(PredictiveHpas.status(List.of()));
    return resource;
  }
}
