package io.prescale.controller.scheduler.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BookingCondition.Reason;
import io.prescale.controller.scheduler.warm.WarmRound.Progress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarmReportTest {
  private static final StartTimes KNOWN =
      new StartTimes(List.of(40L, 50L, 60L), List.of(190L, 190L, 200L), Optional.empty());

  private static WarmReport report(int nodes, int ready, int pulling, String failure) {
    var progress =
        new Progress(
            nodes, ready, pulling, Optional.of(failure).filter(it -> !it.isEmpty()), false);
    return WarmReport.of(progress, StartTimes.NONE, Optional.empty());
  }

  @Test
  void theWorstIsTheReason() {
    assertThat(report(0, 0, 0, "").reason()).isEqualTo(Reason.NothingExpected);
    assertThat(report(3, 3, 0, "").reason()).isEqualTo(Reason.ImagesReady);
    assertThat(report(3, 2, 1, "").reason()).isEqualTo(Reason.Pulling);
    assertThat(report(3, 1, 1, "n1: ErrImagePull").reason()).isEqualTo(Reason.PullFailed);
    assertThat(
            WarmReport.of(
                new Progress(3, 0, 0, Optional.empty(), false),
                StartTimes.NONE,
                Optional.of("Denied.")))
        .satisfies(it -> assertThat(it.reason()).isEqualTo(Reason.PullRefused))
        .satisfies(it -> assertThat(it.message()).isEqualTo("No image is pulled ahead: Denied."));
  }

  @Test
  void itSaysHowFarItIsAndWhatIsSaved() {
    assertThat(report(1, 1, 0, "").message())
        .isEqualTo("The node where replicas will be has their images.");
    assertThat(report(3, 1, 2, "").message())
        .isEqualTo("1 of 3 nodes where replicas will be have their images, 2 are pulling them.");
    assertThat(
            WarmReport.of(
                    new Progress(3, 1, 0, Optional.empty(), true),
                    StartTimes.NONE,
                    Optional.empty())
                .message())
        .isEqualTo(
            "1 of 3 nodes where replicas will be have their images, 0 are pulling them. As many"
                + " nodes as replicas have been pulled to; one where none is expected any more"
                + " gives up its turn after an hour.");
    assertThat(report(3, 1, 0, "n1: ErrImagePull: no such image").message())
        .isEqualTo(
            "1 of 3 nodes have the images; correct the image or its pull secrets. It is tried"
                + " again. On n1: ErrImagePull: no such image");
    var saved =
        WarmReport.of(new Progress(3, 3, 0, Optional.empty(), false), KNOWN, Optional.empty());
    assertThat(saved.message())
        .isEqualTo(
            "All 3 nodes where replicas will be have their images. Pulling ahead saves 140 s of a"
                + " start (median of 3 warm starts against 3 cold ones).");
    assertThat(saved.images().savedSeconds()).isEqualTo(140);
  }
}
