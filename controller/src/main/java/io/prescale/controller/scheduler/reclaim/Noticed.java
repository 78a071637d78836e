package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Expectation;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A pod that has notice.
 *
 * @param until when its notice has run out
 * @param claim the pod or gang that needs its cards
 */
public record Noticed(String pod, String queue, Instant until, String claim) {
  /**
   * A pod, if it has notice.
   *
   * @param display a pod's name, where the key is that of a pod that is known
   */
  static Stream<Noticed> of(CardHolder holder, UnaryOperator<String> display) {
    return holder.notice().stream()
        .map(
            notice ->
                new Noticed(
                    display.apply(holder.uid()),
                    holder.queue(),
                    notice.at(),
                    Expectation.bookingOf(notice)
                        .map("booking "::concat)
                        .orElseGet(() -> display.apply(notice.claim()))));
  }
}
