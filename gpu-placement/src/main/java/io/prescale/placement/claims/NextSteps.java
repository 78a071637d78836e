package io.prescale.placement.claims;

import io.prescale.placement.cluster.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Decides which write each waiting pod needs next. For one thread at a time. */
final class NextSteps {
  /** A pod that kube-scheduler does not take in this time gets another place. */
  static final Duration UNTIL_ELSEWHERE = Duration.ofSeconds(20);

  private static final Comparator<ClaimPod> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(ClaimPod::priority)
          .reversed()
          .thenComparing(ClaimPod::created)
          .thenComparing(ClaimPod::uid);

  private final CardStock stock;
  private final ClaimHoldings holdings;
  private final Reservations reservations;
  private final ClaimDemandReader reader;
  private final PinChoice choice;
  private final Map<String, ClaimPod> pods = new HashMap<>();
  private final Map<String, Waiting> waiting = new TreeMap<>();

  NextSteps(
      CardStock stock,
      ClaimHoldings holdings,
      Reservations reservations,
      ClaimDemandReader reader) {
    this.stock = stock;
    this.holdings = holdings;
    this.reservations = reservations;
    this.reader = reader;
    choice = new PinChoice(stock);
  }

  /** Why a pod waits, and the cluster in which that was found. */
  private record Waiting(ClusterSnapshot in, String pod, String sentence) {}

  /** Records the newest state of a pod. */
  void put(ClaimPod pod) {
    pods.put(pod.uid(), pod);
    if (pod.bound()) {
      forget(pod.uid());
    }
  }

  /** Removes a pod that is gone. */
  void remove(String uid) {
    pods.remove(uid);
    forget(uid);
  }

  private void forget(String uid) {
    choice.forget(uid);
    waiting.remove(uid);
  }

  /** Why pods wait for their cards, by pod. */
  Map<String, String> waiting() {
    var sentences = new TreeMap<String, String>();
    waiting.values().forEach(pod -> sentences.put(pod.pod(), pod.sentence()));
    return sentences;
  }

  /** The next write of every pod that needs one, for the most important pods first. */
  List<Step> at(Instant now) {
    return pods.values().stream()
        .filter(pod -> !pod.bound())
        .sorted(MOST_IMPORTANT_FIRST)
        .flatMap(pod -> step(pod, now).stream())
        .toList();
  }

  private Optional<Step> step(ClaimPod pod, Instant now) {
    if (pod.claim().isEmpty()) {
      return wait(pod, "it has not exactly one claim, made from a template");
    }
    if (pod.current().isEmpty() || reservations.has(pod.uid())) {
      return Optional.empty();
    }
    var key = new Claim.Key(pod.namespace(), pod.current().get());
    var current = holdings.find(key);
    var others = new ArrayList<>(holdings.of(pod));
    others.removeIf(claim -> claim.key().equals(key));
    var successor = others.stream().filter(claim -> claim.pin().isPresent()).findFirst();
    if (successor.isPresent()) {
      return replace(pod, current, successor.get(), others);
    }
    if (current.isEmpty() || current.get().isAllocated()) {
      return Optional.empty();
    }
    if (current.get().pin().isPresent()) {
      return proceed(pod, current.get(), others, now);
    }
    if (pod.gated()) {
      return pin(pod, current.get(), now);
    }
    waiting.remove(pod.uid()); // its gate was removed by hand
    return Optional.empty();
  }

  /** Of two claims of a pod the allocated one stays, else the newer one, which is pinned. */
  private static Optional<Step> replace(
      ClaimPod pod, Optional<Claim> current, Claim successor, List<Claim> others) {
    if (current.isPresent()) {
      return Optional.of(
          new Step.Replaced(pod, current.get().isAllocated() ? successor : current.get()));
    }
    return others.stream()
        .filter(Predicate.not(successor::equals))
        .findFirst()
        .map(claim -> new Step.Replaced(pod, claim));
  }

  /** Goes on with a pod whose claim is pinned and not allocated yet. */
  private Optional<Step> proceed(ClaimPod pod, Claim current, List<Claim> leftOver, Instant now) {
    if (!leftOver.isEmpty()) {
      return Optional.of(new Step.Replaced(pod, leftOver.getFirst()));
    }
    if (pod.gated()) {
      return Optional.of(new Step.Released(pod));
    }
    boolean isDue = current.created().plus(UNTIL_ELSEWHERE).isBefore(now);
    if (!pod.unschedulable() || !isDue) {
      return Optional.empty();
    }
    current.pin().ifPresent(pin -> choice.avoid(pod.uid(), pin.node()));
    return pin(pod, current, now);
  }

  private Optional<Step> pin(ClaimPod pod, Claim like, Instant now) {
    return switch (reader.read(like.request())) {
      case ClaimDemand.Refused refused -> wait(pod, refused.sentence());
      case ClaimDemand.Cards cards -> pin(pod, like, cards, now);
    };
  }

  private Optional<Step> pin(ClaimPod pod, Claim like, ClaimDemand.Cards demand, Instant now) {
    var before = waiting.get(pod.uid());
    if (before != null && before.in() == stock.cluster()) {
      return Optional.empty(); // nothing has changed
    }
    return switch (choice.choose(pod, like, demand)) {
      case PinChoice.Chosen(var step, var placement) -> {
        waiting.remove(pod.uid());
        reservations.reserve(pod.uid(), step.claim(), placement, now);
        yield Optional.of(step);
      }
      case PinChoice.NoRoom(var sentence) -> wait(pod, sentence);
    };
  }

  private Optional<Step> wait(ClaimPod pod, String sentence) {
    waiting.put(pod.uid(), new Waiting(stock.cluster(), pod.display(), sentence));
    return Optional.empty();
  }
}
