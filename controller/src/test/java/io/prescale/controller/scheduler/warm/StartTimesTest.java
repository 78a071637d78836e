package io.prescale.controller.scheduler.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.prescale.controller.api.v1alpha1.BookingImages;
import io.prescale.placement.inventory.PodSelector;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StartTimesTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");

  private final CollectorRegistry registry = new CollectorRegistry();
  private final WarmStarts starts = new WarmStarts(new WarmMetrics(registry));

  private static PodStarted started(ImageState images, long seconds) {
    return new PodStarted("models", Map.of(), images, Duration.ofSeconds(seconds), NOW, NOW);
  }

  private static StartTimes of(ImageState images, StartTimes before, long... seconds) {
    var times = before;
    for (long each : seconds) {
      times = times.with(started(images, each));
    }
    return times;
  }

  @Test
  void whatIsSavedIsTheDifferenceOfTheMediansOnceThereAreThreeOfBoth() {
    var cold = of(ImageState.ABSENT, StartTimes.NONE, 180, 200, 900);
    assertThat(of(ImageState.PULLED_AHEAD, cold, 60, 40).sentence()).isEmpty();

    var both = of(ImageState.PULLED_AHEAD, cold, 60, 40, 61, 70);

    assertThat(both.savedSeconds()).hasValue(140); // 200 − 60.5, rounded
    assertThat(both.sentence())
        .contains(
            "Pulling ahead saves 140 s of a start (median of 4 warm starts against 3 cold ones).");
    assertThat(of(ImageState.PRESENT, both, 1, 1, 1)).as("neither").isEqualTo(both);
    assertThat(of(ImageState.PULLING, both, 1, 1, 1)).as("neither").isEqualTo(both);
  }

  @Test
  void whatIsSlowerIsSaidToo() {
    var both =
        of(ImageState.PULLED_AHEAD, of(ImageState.ABSENT, StartTimes.NONE, 10, 10, 10), 12, 13, 14);

    assertThat(both.sentence().orElseThrow()).startsWith("Pulling ahead adds 3 s to a start");
  }

  @Test
  void theLastTwentyAreRemembered() {
    var times = of(ImageState.ABSENT, StartTimes.NONE, LongStream.rangeClosed(1, 25).toArray());

    assertThat(times.cold()).hasSize(20).startsWith(6L).endsWith(25L);
  }

  private static Pod pod(String uid, String images, Instant ready) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("models")
        .withName(uid)
        .withUid(uid)
        .withCreationTimestamp(ready.minusSeconds(70).toString())
        .addToLabels("app", "llm")
        .addToAnnotations(ImageState.ANNOTATION, images)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .withNewStatus()
        .addToConditions(
            new PodConditionBuilder()
                .withType("PodScheduled")
                .withStatus("True")
                .withLastTransitionTime(ready.minusSeconds(60).toString())
                .build(),
            new PodConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withLastTransitionTime(ready.toString())
                .build())
        .endStatus()
        .build();
  }

  private static WarmBooking booking(Optional<BookingImages> said) {
    return new WarmBooking(
        "models/llm",
        "uid",
        new PodSelector("models", Map.of("app", "llm")),
        List.of(new Pod()),
        1,
        List.of(),
        said);
  }

  @Test
  void eachStartIsCountedOnceAlsoByAProcessThatComesLater() {
    starts.seen(pod("a", "pulled-ahead", NOW));
    starts.seen(pod("b", "absent", NOW.plusSeconds(1)));
    starts.seen(pod("a", "pulled-ahead", NOW.plusSeconds(5)));

    var first = starts.of(booking(Optional.empty()));
    assertThat(first).isEqualTo(starts.of(booking(Optional.empty())));
    assertThat(first.warm()).containsExactly(60L);
    assertThat(first.cold()).containsExactly(60L);
    assertThat(first.newest()).contains(NOW.plusSeconds(1));
    assertThat(
            registry.getSampleValue(
                "prescale_booking_start_seconds_count",
                new String[] {"images"},
                new String[] {"pulled_ahead"}))
        .isEqualTo(1);

    var later = new WarmStarts(new WarmMetrics(new CollectorRegistry()));
    List.of(pod("a", "pulled-ahead", NOW), pod("c", "absent", NOW.plusSeconds(90)))
        .forEach(later::seen);
    var said =
        new BookingImages(0, 0, first.warm(), first.cold(), first.newest().orElseThrow(), null);
    var second = later.of(booking(Optional.of(said)));
    assertThat(second.warm()).hasSize(1);
    assertThat(second.cold()).hasSize(2);
  }

  /** A process that has not seen its first time takes its last one for a start of hours. */
  @Test
  void aPodThatHasBecomeReadyAgainIsNotCountedAfterARestart() {
    var again = pod("a", "absent", NOW);
    again
        .getStatus()
        .getConditions()
        .getLast()
        .setLastTransitionTime(NOW.plusSeconds(5000).toString());
    starts.seen(again);
    var said = new BookingImages(0, 0, List.of(), List.of(60L), NOW, null);

    assertThat(starts.of(booking(Optional.of(said))).cold()).containsExactly(60L);
  }

  @Test
  void whatAnotherLeaderHasSaidMeanwhileIsGoneOnFrom() {
    starts.seen(pod("a", "absent", NOW));
    assertThat(starts.of(booking(Optional.empty())).cold()).hasSize(1);

    starts.forget();
    starts.seen(pod("b", "absent", NOW.plusSeconds(100)));
    starts.seen(pod("c", "absent", NOW.plusSeconds(300)));
    var said = new BookingImages(0, 0, List.of(), List.of(60L, 60L), NOW.plusSeconds(100), null);

    assertThat(starts.of(booking(Optional.of(said))).cold()).as("b once").hasSize(3);
    assertThat(
            registry.getSampleValue(
                "prescale_booking_start_seconds_count",
                new String[] {"images"},
                new String[] {"absent"}))
        .as("a and c")
        .isEqualTo(2);
  }

  @Test
  void whatIsNoStartCountsForNothing() {
    var restarted = pod("r", "absent", NOW);
    restarted
        .getStatus()
        .setContainerStatuses(List.of(new ContainerStatusBuilder().withRestartCount(1).build()));
    var unready = pod("u", "absent", NOW);
    unready.getStatus().getConditions().getLast().setStatus("False");
    var nonsense = pod("n", "absent", NOW);
    nonsense.getStatus().getConditions().getLast().setLastTransitionTime("soon");
    var bare = pod("s", "absent", NOW);
    bare.setStatus(null);

    assertThat(
            List.of(restarted, unready, nonsense, bare, pod("f", "frozen", NOW), pod("x", "", NOW)))
        .allSatisfy(it -> assertThat(PodStarted.of(it)).isEmpty());
    var foreign = pod("o", "absent", NOW);
    foreign.getMetadata().setNamespace("others");
    starts.seen(foreign);
    assertThat(starts.of(booking(Optional.empty()))).isEqualTo(StartTimes.NONE);
  }
}
