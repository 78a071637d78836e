package io.prescale.controller.scheduler.warm;

import io.prescale.controller.api.v1alpha1.BookingCondition.Reason;
import io.prescale.controller.api.v1alpha1.BookingImages;
import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.scheduler.warm.WarmRound.Progress;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the status of a GpuBooking says of its images. */
public record WarmReport(Reason reason, String message, BookingImages images) {
  /** Leaves room for the rest in a condition's message. */
  private static final int LONGEST = 500;

  private static final String BOUNDED =
      " As many nodes as replicas have been pulled to; one where none is expected any more gives up"
          + " its turn after an hour.";

  /**
   * Of a booking.
   *
   * @param refused what the API server said to the last pod, if it did not take it
   */
  static WarmReport of(Progress progress, StartTimes starts, Optional<String> refused) {
    var images =
        new BookingImages(
            progress.nodes(),
            progress.ready(),
            starts.warm(),
            starts.cold(),
            starts.newest().orElse(null),
            boxed(starts.savedSeconds()));
    var reason = reason(progress, refused);
    var sentence =
        switch (reason) {
          case ImagesReady ->
              progress.nodes() == 1
                  ? "The node where replicas will be has their images."
                  : "All %d nodes where replicas will be have their images."
                      .formatted(progress.nodes());
          case Pulling ->
              "%d of %d nodes where replicas will be have their images, %d %s pulling them.%s"
                  .formatted(
                      progress.ready(),
                      progress.nodes(),
                      progress.pulling(),
                      progress.pulling() == 1 ? "is" : "are",
                      progress.isBounded() ? BOUNDED : "");
          case PullFailed ->
              ("%d of %d nodes have the images; correct the image or its pull secrets. It is tried"
                      + " again. On %s")
                  .formatted(
                      progress.ready(),
                      progress.nodes(),
                      progress.failure().orElse("a node it failed."));
          case PullRefused ->
              (progress.ready() + progress.pulling() == 0
                      ? "No image is pulled ahead: %s"
                      : "No further image is pulled ahead: %s")
                  .formatted(
                      refused
                          .map(it -> Shortened.to(LONGEST, it))
                          .orElse("the API server refuses."));
          default -> "No replicas are expected soon enough for images to be pulled.";
        };
    return new WarmReport(
        reason, starts.sentence().map(it -> sentence + " " + it).orElse(sentence), images);
  }

  private static Reason reason(Progress progress, Optional<String> refused) {
    if (progress.nodes() == 0) {
      return Reason.NothingExpected;
    }
    if (progress.ready() == progress.nodes()) {
      return Reason.ImagesReady;
    }
    if (refused.isPresent()) {
      return Reason.PullRefused;
    }
    return progress.failure().isPresent() ? Reason.PullFailed : Reason.Pulling;
  }

  private static @Nullable Long boxed(OptionalLong seconds) {
    return seconds.isPresent() ? seconds.getAsLong() : null;
  }

  /** Whether nothing is wrong. */
  public boolean isFine() {
    return reason == Reason.ImagesReady || reason == Reason.NothingExpected;
  }
}
