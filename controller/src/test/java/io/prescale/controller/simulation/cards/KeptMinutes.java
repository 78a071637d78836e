package io.prescale.controller.simulation.cards;

import io.prescale.placement.notice.Expectation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** In which minutes a card was kept for which replica of a service, and whether it came. */
final class KeptMinutes {
  private static final int SOON = 60;

  private final List<Integer> replicas = new ArrayList<>();
  private final List<Kept> kept = new ArrayList<>();

  /** That a card was kept for a replica. */
  private record Kept(int minute, int replica) {}

  /**
   * The next minute.
   *
   * @param there the replicas that have cards
   * @param booking whose expected replicas count
   */
  void pass(int there, String booking, Map<String, Outcome> expected) {
    replicas.add(there);
    var prefix = booking + "/";
    expected.forEach(
        (replica, outcome) -> {
          if (outcome == Outcome.BOOKED && replica.startsWith(prefix)) {
            int number = Integer.parseInt(replica.substring(prefix.length()));
            kept.add(new Kept(replicas.size() - 1, number));
          }
        });
  }

  /** Hours in which a card was kept for a replica that came, or did not come, within an hour. */
  double hours(boolean came) {
    return kept.stream().filter(it -> came(it) == came).count() / 60.0;
  }

  private boolean came(Kept one) {
    int end = Math.min(replicas.size(), one.minute() + SOON);
    return replicas.subList(one.minute(), end).stream().anyMatch(it -> it >= one.replica());
  }
}
