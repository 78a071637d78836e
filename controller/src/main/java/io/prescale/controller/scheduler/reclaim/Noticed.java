package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Expectation;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
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
   * Those that have notice, first those whose notice runs out first.
   *
   * @param display a pod's name, where the key is that of a pod that is known
   */
  static List<Noticed> of(Collection<CardHolder> holders, UnaryOperator<String> display) {
    return holders.stream()
        .flatMap(holder -> of(holder, display))
        .sorted(Comparator.comparing(Noticed::until).thenComparing(Noticed::pod))
        .toList();
  }

  private static Stream<Noticed> of(CardHolder holder, UnaryOperator<String> display) {
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
