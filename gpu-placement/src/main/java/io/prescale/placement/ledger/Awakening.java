package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DeclaredLength;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.WaitingPods.Refused;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Finds room for refused pods. The queues take turns; within a queue those pods come first that are
 * more important or waited longer. Not thread-safe.
 */
final class Awakening {
  private final WaitingPods waiting;
  private final QueueAccounts queues;
  private final Offers offers;
  private final CardKeeping kept;
  private final Fleet fleet;
  private final DemandReader reader;

  /** By which demands that name parts of models were read last. */
  private Map<String, Set<String>> models = Map.of();

  Awakening(
      WaitingPods waiting,
      QueueAccounts queues,
      Offers offers,
      CardKeeping kept,
      Fleet fleet,
      DemandReader reader) {
    this.fleet = fleet;
    this.reader = reader;
    this.waiting = waiting;
    this.queues = queues;
    this.offers = offers;
    this.kept = kept;
  }

  /** What decides where a pod finds room: a place that one pod lacks, all of its kind lack. */
  private record Kind(
      String queue,
      Refused.Kind of,
      boolean hasKeptCards,
      boolean isNeverTaken,
      Optional<DeclaredLength> length) {}

  /** As {@link Ledger#awaken}. */
  List<PodFacts> awaken(int most, Instant now) {
    offers.expire(now);
    if (!models.equals(fleet.models())) {
      models = fleet.models();
      waiting.renew(reader::read);
    }
    boolean hope = waiting.haveNewHope();
    var lines = lines(hope);
    var roomier = waiting.roomier();
    var awake = new ArrayList<PodFacts>();
    var hopeless = new HashMap<Kind, Offers.Search>();
    while (!lines.isEmpty()) {
      if (awake.size() == most) {
        return awake;
      }
      var queue = queues.next(List.copyOf(lines.keySet())).orElseThrow();
      var line = Objects.requireNonNull(lines.get(queue));
      serve(queue, line, roomier, hopeless, now).ifPresent(awake::add);
      if (line.isEmpty()) {
        lines.remove(queue);
      }
    }
    if (hope) {
      waiting.settle();
    }
    return awake;
  }

  /** Takes pods from a line until one has room. */
  private Optional<PodFacts> serve(
      String queue,
      Deque<Refused> line,
      List<String> roomier,
      Map<Kind, Offers.Search> hopeless,
      Instant now) {
    while (!line.isEmpty()) {
      var refused = line.remove();
      var pod = refused.pod();
      var kind = new Kind(queue, refused.kind(), kept.isFor(pod), pod.isNeverTaken(), pod.length());
      var before = hopeless.get(kind);
      var search = before == null ? offers.reserve(refused, roomier, now) : before;
      offers.settle(refused, search);
      if (search.found() instanceof Candidates.Nodes) {
        return Optional.of(pod);
      }
      hopeless.put(kind, search);
    }
    return Optional.empty();
  }

  /**
   * The refused pods by queue. Without new room only those are of interest that their queue keeps
   * waiting: what other pods hold or wait for may have changed.
   */
  private Map<String, Deque<Refused>> lines(boolean hope) {
    var lines = new LinkedHashMap<String, Deque<Refused>>();
    for (var refused : waiting.inOrder(it -> hope || it.heldBack())) {
      queues
          .podQueues()
          .lineOf(refused.pod())
          .ifPresent(queue -> lines.computeIfAbsent(queue, _ -> new ArrayDeque<>()).add(refused));
    }
    return lines;
  }
}
