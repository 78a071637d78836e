package io.prescale.placement.claims;

import io.prescale.placement.cluster.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Decides which write each waiting pod needs next. Not thread-safe. */
final class NextSteps {
  /** A pod that kube-scheduler does not take in this time gets another place. */
  static final Duration UNTIL_ELSEWHERE = Duration.ofSeconds(20);

  /** A pod whose group is not complete by then gives its cards back. */
  static final Duration UNTIL_GIVEN_UP = Duration.ofMinutes(1);

  /** For each pod of its group, since each takes three writes. */
  private static final Duration EACH_MORE = Duration.ofMillis(200);

  private static final int MOST_IN_A_GROUP = 1000;

  static final Comparator<ClaimPod> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(ClaimPod::priority)
          .reversed()
          .thenComparing(ClaimPod::created)
          .thenComparing(ClaimPod::uid);

  private final CardStock stock;
  private final ClaimHoldings holdings;
  private final Reservations reservations;
  private final ClaimDemandReader reader;
  private final PinChoice choice;
  private final ClaimGroups groups = new ClaimGroups();
  private final Map<String, Waiting> waiting = new TreeMap<>();

  /** Of the round: groups for which cards were sought, and how many of a group's pods are ready. */
  private final Set<String> sought = new HashSet<>();

  private final Map<String, Long> ready = new HashMap<>();

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

  /**
   * Why a pod waits.
   *
   * @param withoutRoom the cluster in which there was no room for it, if that is why
   */
  private record Waiting(Optional<ClusterSnapshot> withoutRoom, String pod, String sentence) {}

  /** Records the newest state of a pod. */
  void put(ClaimPod pod) {
    groups.put(pod);
    if (pod.bound()) {
      forget(pod.uid());
    }
  }

  /** Removes a pod that is gone. */
  void remove(String uid) {
    groups.remove(uid);
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
    sought.clear();
    ready.clear();
    var steps = new ArrayList<Step>();
    groups.all().stream()
        .filter(pod -> !pod.bound() && !pod.leaving() && pod.isOfClaims())
        .sorted(MOST_IMPORTANT_FIRST)
        .toList()
        .forEach(pod -> steps.addAll(steps(pod, now)));
    return steps;
  }

  private List<Step> steps(ClaimPod pod, Instant now) {
    if (pod.claim().isEmpty()) {
      return wait(pod, "it has not exactly one claim, made from a template");
    }
    if (pod.current().isEmpty() || reservations.has(pod.uid())) {
      return List.of();
    }
    var current = current(pod);
    var others = others(pod);
    var successor = others.stream().filter(claim -> claim.pin().isPresent()).findFirst();
    if (successor.isPresent()) {
      return replace(pod, current, successor.get(), others).stream().toList();
    }
    if (current.isEmpty() || current.get().isAllocated()) {
      return List.of();
    }
    if (current.get().pin().isPresent()) {
      return proceed(pod, current.get(), others, now);
    }
    if (pod.gated()) {
      return pinGroup(pod, now);
    }
    waiting.remove(pod.uid()); // its gate was removed by hand
    return List.of();
  }

  private Optional<Claim> current(ClaimPod pod) {
    return pod.current().flatMap(name -> holdings.find(new Claim.Key(pod.namespace(), name)));
  }

  /** The claims that were made for a pod besides its current one. */
  private List<Claim> others(ClaimPod pod) {
    return holdings.of(pod).stream()
        .filter(claim -> !pod.current().equals(Optional.of(claim.key().name())))
        .toList();
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
  private List<Step> proceed(ClaimPod pod, Claim current, List<Claim> leftOver, Instant now) {
    if (!leftOver.isEmpty()) {
      return List.of(new Step.Replaced(pod, leftOver.getFirst()));
    }
    if (pod.gated()) {
      return release(pod, current, now);
    }
    boolean isDue = current.created().plus(UNTIL_ELSEWHERE).isBefore(now);
    if (!pod.unschedulable() || !isDue) {
      return List.of();
    }
    current.pin().ifPresent(pin -> choice.avoid(pod.uid(), pin.node()));
    return pin(List.of(pod), 1, now);
  }

  /** Releases a pod once enough of its group have cards; without them, it gives its own back. */
  private List<Step> release(ClaimPod pod, Claim current, Instant now) {
    if (readyWith(pod) >= pod.groupSize()) {
      return List.of(new Step.Released(pod));
    }
    var longest = UNTIL_GIVEN_UP.plus(EACH_MORE.multipliedBy(pod.groupSize()));
    return current.created().plus(longest).isBefore(now)
        ? List.of(new Step.Replaced(pod, current))
        : List.of();
  }

  private long readyWith(ClaimPod pod) {
    return pod.groupKey()
        .map(key -> ready.computeIfAbsent(key, _ -> staying(pod).filter(this::isReady).count()))
        .orElse(1L);
  }

  private Stream<ClaimPod> staying(ClaimPod pod) {
    return groups.with(pod).stream().filter(it -> !it.leaving());
  }

  private boolean isReady(ClaimPod pod) {
    return !pod.gated()
        || (current(pod).filter(claim -> claim.pin().isPresent()).isPresent()
            && others(pod).isEmpty());
  }

  /** Pins the claims of those of a pod's group that have no cards yet: of enough or of none. */
  private List<Step> pinGroup(ClaimPod pod, Instant now) {
    if (pod.groupSize() > MOST_IN_A_GROUP) {
      return wait(pod, "its group has more than %d pods".formatted(MOST_IN_A_GROUP));
    }
    if (pod.groupKey().filter(key -> !sought.add(key)).isPresent()) {
      return List.of();
    }
    var group = staying(pod).filter(it -> !it.gated() || it.claim().isPresent());
    var members = group.limit(MOST_IN_A_GROUP).toList();
    if (members.size() < pod.groupSize()) {
      return wait(
          pod,
          "of the %d pods of its group %d are there".formatted(pod.groupSize(), members.size()));
    }
    var gated = members.stream().filter(ClaimPod::gated).toList();
    var without = gated.stream().filter(this::isWithoutCards).toList();
    boolean isClear =
        gated.stream().noneMatch(it -> reservations.has(it.uid()))
            && without.stream().allMatch(it -> current(it).isPresent());
    int have = members.size() - without.size();
    return isClear ? pin(without, Math.max(1, pod.groupSize() - have), now) : List.of();
  }

  private boolean isWithoutCards(ClaimPod pod) {
    return pod.gated()
        && holdings.of(pod).stream().noneMatch(it -> it.pin().isPresent() || it.isAllocated());
  }

  /**
   * Pins the claims of pods, the most important first.
   *
   * @param least of how many; otherwise of none
   */
  private List<Step> pin(List<ClaimPod> together, int least, Instant now) {
    if (together.stream().allMatch(this::waitsInThisCluster)) {
      return List.of();
    }
    var demands = new ArrayList<ClaimDemand.Cards>();
    for (var pod : together) {
      switch (reader.read(current(pod).orElseThrow().request())) {
        case ClaimDemand.Refused refused -> {
          return wait(together, refused.sentence(), Optional.empty());
        }
        case ClaimDemand.Cards cards -> demands.add(cards);
      }
    }
    var chosen = new ArrayList<PinChoice.Chosen>();
    var state = stock.cluster();
    for (int i = 0; i < together.size(); i++) {
      var pod = together.get(i);
      switch (choice.choose(pod, current(pod).orElseThrow(), demands.get(i), state)) {
        case PinChoice.Chosen found -> {
          chosen.add(found);
          state = state.with(found.placement());
        }
        case PinChoice.NoRoom(var sentence, var isRefused) when chosen.size() < least -> {
          var withoutRoom =
              isRefused ? Optional.<ClusterSnapshot>empty() : Optional.of(stock.cluster());
          return wait(together, sentence, withoutRoom);
        }
        case PinChoice.NoRoom(var sentence, _) -> wait(pod, sentence);
      }
    }
    return chosen.stream().map(it -> reserve(it, now)).toList();
  }

  /** Compares identity: the cluster has not changed since. */
  @SuppressWarnings("ReferenceEquality")
  private boolean waitsInThisCluster(ClaimPod pod) {
    return Optional.ofNullable(waiting.get(pod.uid()))
        .flatMap(Waiting::withoutRoom)
        .filter(before -> before == stock.cluster())
        .isPresent();
  }

  private Step reserve(PinChoice.Chosen chosen, Instant now) {
    var step = chosen.step();
    waiting.remove(step.pod().uid());
    reservations.reserve(step.pod().uid(), step.claim(), chosen.placement(), now);
    return step;
  }

  private List<Step> wait(ClaimPod pod, String sentence) {
    return wait(List.of(pod), sentence, Optional.empty());
  }

  private List<Step> wait(
      List<ClaimPod> together, String sentence, Optional<ClusterSnapshot> withoutRoom) {
    var why =
        together.size() == 1
            ? sentence
            : "of its group %d pods have no cards: %s".formatted(together.size(), sentence);
    together.forEach(pod -> waiting.put(pod.uid(), new Waiting(withoutRoom, pod.display(), why)));
    return List.of();
  }
}
