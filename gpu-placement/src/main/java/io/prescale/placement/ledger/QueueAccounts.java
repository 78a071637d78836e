package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.QueueTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the pods of each queue hold and wait for, and whether a pod may take more. Without queues
 * every pod may, and nothing is counted. Not thread-safe.
 */
final class QueueAccounts {
  /** How long a new pod claims what its queue is owed; it may never be asked about. */
  static final Duration AWAITED = Duration.ofSeconds(30);

  private final Fleet fleet;
  private final DemandReader reader;
  private final WaitingPods pods;
  private final PodQueues podQueues;
  private final Map<String, Charge> held = new HashMap<>();
  private final Map<String, Long> used = new HashMap<>();
  private final Map<String, QueueWait> waiting = new HashMap<>();

  /** What {@link #waits} of each queue add up to. */
  private final Map<String, Long> awaited = new HashMap<>();

  private List<QueueEntry> entries = List.of();

  /** Empty once what it was made of has changed. */
  private Optional<QueueBalance> balance = Optional.empty();

  /** The cards by model when the balance was made. */
  private Map<String, Long> counted = Map.of();

  QueueAccounts(Fleet fleet, DemandReader reader, WaitingPods pods, PodQueues podQueues) {
    this.podQueues = podQueues;
    this.fleet = fleet;
    this.reader = reader;
    this.pods = pods;
  }

  /** What a queue pays for a pod, in thousandths of a card. */
  record Charge(String queue, long milli) {}

  /**
   * Replaces the queues; without any, nothing is counted.
   *
   * @throws IllegalArgumentException if they form no tree; then those of before stay
   */
  void replace(Collection<QueueEntry> now, Stream<Holding> holdings) {
    var wanted = List.copyOf(now);
    if (wanted.equals(entries)) {
      return;
    }
    podQueues.replace(
        wanted.isEmpty() ? Optional.empty() : Optional.of(QueueTree.ofEntries(wanted)));
    entries = wanted;
    balance = Optional.empty();
    List.of(held, used, waiting, awaited).forEach(Map::clear);
    count(holdings, pods.all());
  }

  /** As {@link Ledger#queueNamed}. */
  void named(String name, Optional<String> queue, Stream<Holding> holdings) {
    if (podQueues.named(name, queue)) {
      var namespace = name.split("/", 2)[0];
      count(
          holdings.filter(holding -> holding.pod().namespace().equals(namespace)),
          pods.all().filter(pod -> pod.namespace().equals(namespace)));
    }
  }

  private void count(Stream<Holding> holdings, Stream<PodFacts> unbound) {
    holdings.forEach(this::hold);
    unbound.forEach(this::await);
    pods.renew(reader::read);
    pods.queuesChanged();
  }

  String queueOf(PodFacts pod) {
    return podQueues.queueOf(pod);
  }

  /** Of the cluster's models those that a pod may have by its queue; empty if it may have any. */
  Optional<Set<String>> modelsFor(PodFacts pod) {
    return podQueues
        .tree()
        .filter(QueueTree::hasPools)
        .flatMap(_ -> podQueues.permitted(pod, fleet.amounts().byModel().keySet()));
  }

  /** The queue of each pod. */
  PodQueues podQueues() {
    return podQueues;
  }

  /** Counts what a pod holds, for the default queue if its own cannot hold work. */
  void hold(Holding holding) {
    if (podQueues.tree().isEmpty()) {
      return;
    }
    release(holding.pod().uid());
    var named = queueOf(holding.pod());
    var queue = podQueues.isInForce(named) ? named : PodFacts.DEFAULT_QUEUE;
    if (podQueues.isInForce(queue)) {
      long milli = amountOf(holding.placement(), holding.units());
      addWait(holding.pod().uid(), -1);
      held.put(holding.pod().uid(), new Charge(queue, milli));
      used.merge(queue, milli, Long::sum);
      balance = Optional.empty();
    }
  }

  /** What a place takes, in thousandths of a card. */
  long amountOf(Optional<Placement> placement, Map<String, Long> units) {
    return placement.map(fleet::milliOf).orElseGet(() -> CardAmounts.ofUnits(units));
  }

  /** Ends the count of what a pod holds. */
  void release(String uid) {
    var charge = held.remove(uid);
    if (charge != null) {
      used.merge(charge.queue(), -charge.milli(), Long::sum);
      balance = Optional.empty();
      addWait(uid, 1);
    }
  }

  /** Adds or subtracts what a pod waits for, if it waits and holds nothing. */
  private void addWait(String uid, int sign) {
    var wait = waiting.get(uid);
    if (wait != null && !held.containsKey(uid)) {
      awaited.merge(wait.queue(), sign * wait.milli(), Long::sum);
      balance = Optional.empty();
    }
  }

  /** Counts what a pod waits for. */
  void await(PodFacts pod) {
    var queue = queueOf(pod);
    long milli = podQueues.isInForce(queue) ? leastOf(pod) : 0;
    var before = waiting.get(pod.uid());
    endWait(pod.uid());
    if (milli > 0) {
      waiting.put(
          pod.uid(),
          before == null
              ? new QueueWait(queue, milli, milli, pod.created(), QueueWait.Claim.NEW, 0)
              : new QueueWait(
                  queue, milli, before.together(), pod.created(), before.claim(), before.rooms()));
      addWait(pod.uid(), 1);
    }
  }

  /** Ends the count of what a pod waits for. */
  void endWait(String uid) {
    addWait(uid, -1);
    waiting.remove(uid);
  }

  /**
   * Records what was found for a pod.
   *
   * @param milli the least that it takes now that more cards may be known
   * @param together what it and those that are placed with it take at least
   */
  void tried(String uid, long milli, long together, Candidates found) {
    var wait = waiting.get(uid);
    if (wait != null) {
      var claim = found.waitsForTurn() ? QueueWait.Claim.HELD_BACK : QueueWait.Claim.TRIED;
      addWait(uid, -1);
      waiting.put(
          uid, new QueueWait(wait.queue(), milli, together, wait.created(), claim, pods.rooms()));
      addWait(uid, 1);
    }
  }

  /** The least that a pod takes, in thousandths of a card; 0 without queues. */
  long leastOf(PodFacts pod) {
    return podQueues.tree().isEmpty() ? 0 : fleet.amounts().leastOf(reader.read(pod));
  }

  /** The least that a demand takes, in thousandths of a card; 0 without queues. */
  long leastOf(PodDemand demand) {
    return podQueues.tree().isEmpty() ? 0 : fleet.amounts().leastOf(demand);
  }

  /**
   * Why a queue may not take an amount now, if it may not.
   *
   * @param asker the pod or the group, for the sentence
   */
  Optional<String> refusal(String queue, String asker, long milli, Instant now) {
    if (podQueues.tree().isEmpty() || milli == 0) {
      return Optional.empty();
    }
    return podQueues.isInForce(queue)
        ? balance(podQueues.tree().get()).refusal(queue, asker, milli, () -> claims(now))
        : Optional.of(
            "queue %s is not in force or has children; name another one, or create or mend it"
                .formatted(queue));
  }

  /** The queue to serve next of those that have pods waiting; without queues the first. */
  Optional<String> next(List<String> queues) {
    return podQueues
        .tree()
        .map(known -> balance(known).next(queues))
        .orElse(queues.stream().findFirst());
  }

  /** Every queue as it is now, a parent before its children. */
  List<QueueState> states() {
    if (podQueues.tree().isEmpty()) {
      return List.of();
    }
    var known = podQueues.tree().get();
    var count = new HashMap<String, Integer>();
    var oldest = new HashMap<String, Instant>();
    for (var wait : waits().toList()) {
      for (var queue : known.upwardsFrom(wait.queue())) {
        count.merge(queue, 1, Integer::sum);
        oldest.merge(queue, wait.created(), (a, b) -> a.isBefore(b) ? a : b);
      }
    }
    var now = balance(known);
    return known.queues().stream()
        .map(
            queue ->
                new QueueState(
                    queue.name(),
                    queue.quota(),
                    now.ledger().used(queue.name()),
                    now.shares().of(queue.name()),
                    count.getOrDefault(queue.name(), 0),
                    Optional.ofNullable(oldest.get(queue.name()))))
        .toList();
  }

  /** What waits and holds nothing. */
  private Stream<QueueWait> waits() {
    return waiting.entrySet().stream()
        .filter(entry -> !held.containsKey(entry.getKey()))
        .map(Map.Entry::getValue);
  }

  /** The least that waits in each queue for nothing but its turn. */
  private Map<String, Long> claims(Instant now) {
    var claims = new HashMap<String, Long>();
    waits()
        .filter(wait -> laysClaim(wait, now))
        .forEach(wait -> claims.merge(wait.queue(), wait.together(), Math::min));
    return claims;
  }

  private boolean laysClaim(QueueWait wait, Instant now) {
    return switch (wait.claim()) {
      case NEW -> wait.created().plus(AWAITED).isAfter(now);
      case HELD_BACK -> true;
      case TRIED -> pods.haveNewHope() && wait.rooms() < pods.rooms();
    };
  }

  /** What is paid for what a pod holds, if a queue pays for it. */
  Optional<Charge> chargeFor(String uid) {
    return Optional.ofNullable(held.get(uid));
  }

  /** By which right a pod has what it holds, if a queue pays for it. */
  Optional<QuotaUse> useOf(String uid) {
    return chargeFor(uid).flatMap(it -> balance().map(now -> now.useOf(it.queue())));
  }

  /** What the queues use and are owed now; empty without queues. */
  Optional<QueueBalance> balance() {
    return podQueues.tree().map(this::balance);
  }

  private QueueBalance balance(QueueTree known) {
    var cards = fleet.amounts().byModel();
    if (balance.isEmpty() || !counted.equals(cards)) {
      var demand = new HashMap<>(used);
      awaited.forEach((queue, milli) -> demand.merge(queue, milli, Long::sum));
      balance = Optional.of(QueueBalance.of(known, cards, used, demand));
      counted = cards;
    }
    return balance.get();
  }
}
