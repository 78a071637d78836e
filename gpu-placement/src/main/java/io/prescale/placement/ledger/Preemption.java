package io.prescale.placement.ledger;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static java.util.stream.Collectors.toCollection;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chooses the pods that have to leave a node at once so that a more important one fits it. As for
 * taking back, pods of other queues leave only as far as the pod's queue is owed what these have
 * beyond their due, and what is leaving them already counts as given; gangs leave whole, and pods
 * that say so never. Pods of its own queue leave by priority alone. Not thread-safe.
 */
final class Preemption {
  private final Fleet fleet;
  private final Holdings holdings;
  private final QueueAccounts queues;
  private final DemandReader reader;
  private final PodGroups groups;
  private final CardKeeping kept;
  private final Filter filter = new Filter(new LinkedCards());

  Preemption(
      Fleet fleet,
      Holdings holdings,
      QueueAccounts queues,
      DemandReader reader,
      PodGroups groups,
      CardKeeping kept) {
    this.fleet = fleet;
    this.holdings = holdings;
    this.queues = queues;
    this.reader = reader;
    this.groups = groups;
    this.kept = kept;
  }

  /**
   * Adds the least important pods until the pod fits, then keeps those that need not leave. If not
   * all that would help may leave together, other pods are added first.
   *
   * @param given pods that leave in any case
   * @param giving queues that give back by notice what others are owed
   * @return their UIDs, the most important first, since kube-scheduler compares nodes by the first;
   *     empty when the pod does not fit the node even then, or one of the given may not leave
   */
  Optional<List<String>> victims(
      PodFacts pod, String name, Collection<String> given, Set<String> giving) {
    var victims =
        reader.read(pod) instanceof PodDemand.Cards asked
            ? victims(pod, asked, name, given, giving)
            : given(pod, name, given, giving);
    return victims.map(
        uids -> uids.stream().sorted(Comparator.comparingInt(this::priority).reversed()).toList());
  }

  private int priority(String uid) {
    return holdings.of(uid).map(it -> it.pod().priority()).orElse(Integer.MIN_VALUE);
  }

  private Optional<List<String>> victims(
      PodFacts pod,
      PodDemand.Cards asked,
      String name,
      Collection<String> given,
      Set<String> giving) {
    var known = fleet.cluster().find(name);
    var terms = leaving(pod, name, giving);
    var leaving = whole(terms, new LinkedHashSet<>(given));
    if (known.isEmpty() || leaving.isEmpty()) {
      return Optional.empty();
    }
    var place = new Place(known.get(), asked.without(kept.forOthersThan(pod)));
    var all = new LinkedHashSet<>(leaving.get());
    var lesser = new ArrayList<String>();
    for (var uid : holdings.lesserOn(name, pod.priority())) {
      var more = whole(terms, with(leaving.get(), uid));
      if (known.get().placementOf(uid).isPresent() && more.isPresent()) {
        lesser.add(uid);
        all.addAll(more.get());
      }
    }
    if (!fits(place, all)) {
      return Optional.empty();
    }
    // What queues and gangs may give can be spent on pods that do not help: then others are first.
    return IntStream.range(0, Math.max(1, lesser.size()))
        .mapToObj(first -> search(terms, place, leaving.get(), beginningWith(first, lesser)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The pods from one on, then those before it. */
  private static List<String> beginningWith(int first, List<String> pods) {
    return Stream.concat(pods.stream().skip(first), pods.stream().limit(first)).toList();
  }

  /** Where a pod would be, and what it asks for there. */
  private record Place(GpuNode node, PodDemand.Cards demand) {}

  private Optional<List<String>> search(
      Leaving terms, Place place, Set<String> first, List<String> lesser) {
    var all = first;
    var steps = new ArrayList<Set<String>>();
    for (var uid : lesser) {
      if (fits(place, all)) {
        break;
      }
      if (!all.contains(uid)) {
        var more = whole(terms, with(all, uid));
        if (more.isPresent()) {
          steps.add(without(more.get(), all));
          all = more.get();
        }
      }
    }
    if (!fits(place, all)) {
      return Optional.empty();
    }
    for (var step : steps.reversed()) {
      var fewer = without(all, step);
      if (whole(terms, fewer).filter(fewer::equals).isPresent() && fits(place, fewer)) {
        all = fewer;
      }
    }
    return Optional.of(List.copyOf(all));
  }

  /**
   * Of a pod whose cards are not known one by one, the given pods with their gangs; empty if one of
   * them may not leave.
   */
  private Optional<List<String>> given(
      PodFacts pod, String name, Collection<String> given, Set<String> giving) {
    return whole(leaving(pod, name, giving), new LinkedHashSet<>(given)).map(List::copyOf);
  }

  /**
   * For whom pods leave a node.
   *
   * @param giving queues that give back by notice
   * @param gone what other queues give already, by pods that are leaving
   */
  private record Leaving(PodFacts pod, String node, Set<String> giving, Map<String, Long> gone) {}

  private Leaving leaving(PodFacts pod, String node, Set<String> giving) {
    var gone = chargesOf(holdings.leaving().stream(), queues.payerOf(pod)).stream();
    return new Leaving(
        pod,
        node,
        giving,
        gone.collect(
            groupingBy(QueueAccounts.Charge::queue, summingLong(QueueAccounts.Charge::milli))));
  }

  /**
   * These pods, and those of their gangs, which are of no use without them; empty if one of them
   * may not leave, or a gang would be broken that has pods elsewhere: kube-scheduler deletes pods
   * of one node only.
   */
  private Optional<Set<String>> whole(Leaving terms, Set<String> uids) {
    var all = new LinkedHashSet<>(uids);
    for (var gang : gangsOf(uids).values()) {
      var members = membersOf(gang);
      long staying = members.stream().filter(it -> !uids.contains(it.pod().uid())).count();
      if (staying < groups.gangOf(gang.pod()).orElseThrow().size()) {
        if (!members.stream().allMatch(it -> isBoundTo(terms.node(), it))) {
          return Optional.empty();
        }
        members.forEach(it -> all.add(it.pod().uid()));
      }
    }
    return mayLeave(terms, all) ? Optional.of(all) : Optional.empty();
  }

  /** One pod of each gang. */
  private Map<String, Holding> gangsOf(Set<String> uids) {
    var gangs = new TreeMap<String, Holding>();
    uids.stream()
        .flatMap(uid -> holdings.of(uid).stream())
        .forEach(
            holding ->
                groups
                    .gangOf(holding.pod())
                    .ifPresent(
                        it -> gangs.put(holding.pod().namespace() + "/" + it.name(), holding)));
    return gangs;
  }

  private static boolean isBoundTo(String node, Holding member) {
    return !member.isAssumed() && member.node().equals(node);
  }

  private List<Holding> membersOf(Holding one) {
    var gang = groups.gangOf(one.pod()).orElseThrow();
    return holdings
        .all()
        .filter(it -> it.pod().isOf(one.pod().namespace(), gang))
        .filter(it -> groups.gangOf(it.pod()).isPresent())
        .toList();
  }

  private boolean mayLeave(Leaving terms, Set<String> uids) {
    int priority = terms.pod().priority();
    return uids.stream()
            .flatMap(uid -> holdings.of(uid).stream())
            .map(Holding::pod)
            .allMatch(it -> it.priority() < priority && !it.isNeverTaken())
        && areOwed(terms, uids);
  }

  /** Whether the queues of these pods may give them to the pod's queue, as for taking back. */
  private boolean areOwed(Leaving terms, Set<String> uids) {
    var balance = queues.balance();
    if (balance.isEmpty()) {
      return true;
    }
    var own = queues.payerOf(terms.pod());
    var gone = holdings.leaving();
    var others = chargesOf(uids.stream().filter(uid -> !gone.contains(uid)), own);
    if (others.isEmpty()) {
      return true;
    }
    if (!balance.get().tree().isLeaf(own)) {
      return false;
    }
    var ledger = balance.get().ledger().withHeld(held());
    var budget = ledger.reclaimFor(own, queues.leastOf(terms.pod()));
    terms
        .gone()
        .forEach((queue, milli) -> budget.take(queue, Math.min(milli, budget.roomOf(queue))));
    for (var charge : others) {
      if (terms.giving().contains(charge.queue())
          || !budget.allows(charge.queue(), charge.milli())) {
        return false;
      }
      budget.take(charge.queue(), charge.milli());
    }
    return true;
  }

  /** What the pods of queues have, without what was only offered. */
  private Map<String, Long> held() {
    return holdings
        .all()
        .filter(it -> !it.isAssumed())
        .flatMap(it -> queues.chargeFor(it.pod().uid()).stream())
        .collect(groupingBy(QueueAccounts.Charge::queue, summingLong(QueueAccounts.Charge::milli)));
  }

  /** What other queues pay for pods. */
  private List<QueueAccounts.Charge> chargesOf(Stream<String> uids, String own) {
    return uids.flatMap(uid -> queues.chargeFor(uid).stream())
        .filter(it -> !it.queue().equals(own))
        .toList();
  }

  private boolean fits(Place place, Set<String> leaving) {
    var fewer = place.node();
    for (var uid : leaving) {
      if (fewer.placementOf(uid).isPresent()) {
        fewer = fewer.without(uid);
      }
    }
    return filter.judge(fleet.stacked(fewer), place.demand().shape()) instanceof Verdict.Fits;
  }

  private static Set<String> with(Set<String> all, String uid) {
    var more = new LinkedHashSet<>(all);
    more.add(uid);
    return more;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    return all.stream().filter(it -> !some.contains(it)).collect(toCollection(LinkedHashSet::new));
  }
}
