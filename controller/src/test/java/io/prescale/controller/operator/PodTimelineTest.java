package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.prescale.controller.autoscaling.ScaleUp.PodStart;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodTimelineTest {
  private static final Instant NOON = PredictiveHpas.NOON;

  private final PodTimeline timeline = new PodTimeline();

  /** As in Shadow mode, where another HPA scales. */
  @Test
  void aScaleUpOfOthersBeginsWithItsFirstPod() {
    timeline.observe(List.of(ready("old", 0, 9)), at(10));
    timeline.decidedByOthers(true, at(10));

    timeline.observe(List.of(ready("old", 0, 9), pending("b", 16), pending("a", 15)), at(20));

    assertThat(
            timeline.observe(
                List.of(ready("old", 0, 9), ready("b", 16, 70), ready("a", 15, 60)), at(80)))
        .singleElement()
        .satisfies(scaleUp -> assertThat(scaleUp.decided()).isEqualTo(at(15)));
  }

  @Test
  void podsLongAfterAnotherDecisionAreARollout() {
    timeline.observe(List.of(), at(0));
    timeline.decidedByOthers(true, at(10));

    timeline.observe(List.of(pending("rolled", 400)), at(410));

    assertThat(timeline.observe(List.of(ready("rolled", 400, 440)), at(450))).isEmpty();
  }

  @Test
  void measuresTheNewPodsOfADecisionOnceAllAreReady() {
    timeline.observe(List.of(ready("old", 0, 9)), at(10));
    timeline.decided(true, at(10));
    timeline.decided(true, at(20)); // still wanted: the decision is the first one

    assertThat(timeline.observe(List.of(ready("old", 0, 9), pending("a", 25)), at(30))).isEmpty();
    assertThat(
            timeline.observe(
                List.of(ready("old", 0, 9), ready("a", 25, 65), pending("b", 26)), at(70)))
        .singleElement()
        .satisfies(
            scaleUp -> {
              assertThat(scaleUp.decided()).isEqualTo(at(10));
              assertThat(scaleUp.pods())
                  .containsExactly(
                      new PodStart(
                          at(25), Optional.of(at(26)), Optional.of(at(60)), Optional.of(at(65))));
            });
  }

  @Test
  void waitsForTheSlowestPodOfOneScaleUp() {
    timeline.observe(List.of(), at(0));
    timeline.decided(true, at(5));
    timeline.observe(List.of(pending("a", 8), pending("b", 8)), at(10));

    assertThat(timeline.observe(List.of(ready("a", 8, 48), pending("b", 8)), at(50))).isEmpty();
    assertThat(timeline.observe(List.of(ready("a", 8, 48), ready("b", 8, 90)), at(95)))
        .singleElement()
        .satisfies(scaleUp -> assertThat(scaleUp.pods()).hasSize(2));
    assertThat(timeline.observe(List.of(ready("a", 8, 48), ready("b", 8, 90)), at(100))).isEmpty();
  }

  @Test
  void takesNoRolloutAndNoRestartOfTheControllerForAScaleUp() {
    timeline.decided(true, at(0));
    assertThat(timeline.observe(List.of(ready("a", 0, 40)), at(50))).isEmpty();

    timeline.decided(false, at(55));
    timeline.observe(List.of(ready("a", 0, 40), pending("rolled", 60)), at(65));
    assertThat(timeline.observe(List.of(ready("rolled", 60, 99)), at(100))).isEmpty();
  }

  @Test
  void endsAScaleUpWhosePodsAreGone() {
    timeline.observe(List.of(), at(0));
    timeline.decided(true, at(5));
    timeline.observe(List.of(pending("a", 8)), at(10));

    assertThat(timeline.observe(List.of(), at(20)))
        .singleElement()
        .satisfies(
            scaleUp -> assertThat(scaleUp.pods().getFirst().ready()).isEqualTo(Optional.empty()));
  }

  @Test
  void aPodThatDrainsIsNeitherWaitedForNorReady() {
    timeline.observe(List.of(ready("old", 0, 9)), at(10));
    timeline.decided(true, at(10));
    timeline.observe(
        List.of(draining(ready("old", 0, 9)), pending("a", 15), pending("b", 15)), at(20));

    assertThat(timeline.observe(List.of(ready("a", 15, 60), draining(ready("b", 15, 55))), at(61)))
        .singleElement()
        .satisfies(
            scaleUp ->
                assertThat(scaleUp.pods())
                    .extracting(PodStart::ready)
                    .containsExactlyInAnyOrder(Optional.of(at(60)), Optional.empty()));
  }

  @Test
  void aPodThatDrainsWhenItIsFirstSeenBeginsNoScaleUp() {
    timeline.observe(List.of(), at(0));
    timeline.decided(true, at(5));
    timeline.observe(List.of(draining(pending("a", 8))), at(10));

    assertThat(timeline.observe(List.of(), at(20))).isEmpty();
    timeline.observe(List.of(pending("b", 25)), at(30));
    assertThat(timeline.observe(List.of(ready("b", 25, 50)), at(51)))
        .singleElement()
        .satisfies(scaleUp -> assertThat(scaleUp.decided()).isEqualTo(at(5)));
  }

  /** Otherwise the lead time would be that of warm starts, and the next cold one too late. */
  @Test
  void podsWhoseImagesWerePulledAheadAreNotMeasured() {
    timeline.observe(List.of(), at(0));
    timeline.decided(true, at(5));
    timeline.observe(List.of(pending("warm", 8), pending("cold", 8)), at(10));

    assertThat(
            timeline.observe(
                List.of(
                    imaged("pulled-ahead", ready("warm", 8, 20)),
                    imaged("absent", pending("cold", 8))),
                at(21)))
        .isEmpty();
    assertThat(
            timeline.observe(
                List.of(
                    imaged("pulled-ahead", ready("warm", 8, 20)),
                    imaged("absent", ready("cold", 8, 90))),
                at(91)))
        .singleElement()
        .satisfies(
            scaleUp ->
                assertThat(scaleUp.pods())
                    .extracting(PodStart::ready)
                    .containsExactly(Optional.of(at(90))));
  }

  private static Pod imaged(String images, Pod pod) {
    var annotated =
        new PodBuilder(pod)
            .editMetadata()
            .addToAnnotations(PodTimes.IMAGES, images)
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .build();
    return WorkloadsTest.inBrief(annotated);
  }

  @Test
  void aPodThatDrainsDoesNotServe() {
    var pods =
        List.of(
            ready("a", 0, 9),
            draining(ready("b", 0, 9)),
            draining(pending("c", 0)),
            pending("d", 1));

    assertThat(PodTimes.serving(pods)).isOne();
    assertThat(PodTimes.unschedulable(pods)).isZero();
  }

  @Test
  void givesUpAfterTwoHours() {
    timeline.observe(List.of(), at(0));
    timeline.decided(true, at(0));
    timeline.observe(List.of(pending("a", 8)), at(10));

    assertThat(timeline.observe(List.of(pending("a", 8)), at(7199))).isEmpty();
    assertThat(timeline.observe(List.of(pending("a", 8)), at(7200))).hasSize(1);
  }

  @Test
  void knowsNoReadinessOfAPodThatWasRestartedAndSurvivesOneWithoutStatus() {
    var restarted = ready("a", 0, 40);
    restarted.getStatus().getContainerStatuses().getFirst().setRestartCount(1);
    assertThat(PodTimes.of(restarted).ready()).isEmpty();

    var bare = new PodBuilder().withNewMetadata().withUid("x").endMetadata().build();
    assertThat(PodTimes.of(bare))
        .isEqualTo(
            new PodStart(Instant.EPOCH, Optional.empty(), Optional.empty(), Optional.empty()));
    var garbled = ready("a", 0, 40);
    garbled.getMetadata().setCreationTimestamp("yesterday");
    garbled.getStatus().getConditions().getFirst().setLastTransitionTime("");
    assertThat(PodTimes.of(garbled).created()).isEqualTo(Instant.EPOCH);
    assertThat(PodTimes.of(garbled).scheduled()).isEmpty();
  }

  private static Instant at(long seconds) {
    return NOON.plusSeconds(seconds);
  }

  private static Pod draining(Pod pod) {
    return new PodBuilder(pod)
        .editMetadata()
        .withDeletionTimestamp(at(3600).toString())
        .endMetadata()
        .build();
  }

  private static Pod pending(String uid, long created) {
    return new PodBuilder()
        .withNewMetadata()
        .withUid(uid)
        .withCreationTimestamp(at(created).toString())
        .endMetadata()
        .withNewStatus()
        .endStatus()
        .build();
  }

  /**
   * Scheduled a second after it was created, its container runs five seconds before it is ready.
   */
  private static Pod ready(String uid, long created, long ready) {
    return new PodBuilder(pending(uid, created))
        .editStatus()
        .withConditions(
            new PodConditionBuilder()
                .withType("PodScheduled")
                .withStatus("True")
                .withLastTransitionTime(at(created + 1).toString())
                .build(),
            new PodConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withLastTransitionTime(at(ready).toString())
                .build())
        .addNewContainerStatus()
        .withRestartCount(0)
        .withNewState()
        .withNewRunning(at(ready - 5).toString())
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }
}
