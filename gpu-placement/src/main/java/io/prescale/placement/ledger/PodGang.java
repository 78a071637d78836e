package io.prescale.placement.ledger;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The members of a gang.
 *
 * @param absent those that hold nothing yet
 * @param held what the others hold, which are bound or being bound; also those that leave, whose
 *     successors are to be near the rest
 */
record PodGang(Group group, List<PodFacts> absent, List<Holding> held) {
  PodGang {
    absent = List.copyOf(absent);
    held = List.copyOf(held);
  }

  /** How many are bound or being bound, and stay. */
  long placed() {
    return held.stream().filter(it -> !it.pod().isLeaving()).count();
  }

  /** How many of its members there are. */
  long there() {
    return absent.size() + placed();
  }

  /** What its group says of the network, else the first of its members that says something. */
  Nearness nearness() {
    var members = Stream.concat(absent.stream(), held.stream().map(Holding::pod));
    return Stream.concat(Stream.of(group), members.flatMap(pod -> pod.group().stream()))
        .map(Group::nearness)
        .filter(Nearness::isStated)
        .findFirst()
        .orElse(Nearness.ANYWHERE);
  }

  /** The gang with copies of a pod for members that do not exist yet. */
  PodGang completedBy(PodFacts pod) {
    var all = new ArrayList<>(absent);
    for (long missing = there(); missing < group.size(); missing++) {
      all.add(pod.as(pod.uid() + "/" + missing));
    }
    return new PodGang(group, all, held);
  }

  /**
   * The least that it takes of each queue once it runs, beyond what is placed. Of members that it
   * does not need, those that ask for most are left out.
   *
   * @param leastOf what a member takes at least
   */
  SortedMap<String, Long> least(
      Function<PodFacts, String> queueOf, ToLongFunction<PodFacts> leastOf) {
    var amounts = new TreeMap<String, List<Long>>();
    for (var member : absent) {
      amounts
          .computeIfAbsent(queueOf.apply(member), _ -> new ArrayList<>())
          .add(leastOf.applyAsLong(member));
    }
    var least = new TreeMap<String, Long>();
    amounts.forEach(
        (queue, each) -> {
          long ofOthers = (long) absent.size() - each.size();
          long needed = Math.max(0, group.size() - placed() - ofOthers);
          least.put(queue, each.stream().sorted().limit(needed).mapToLong(it -> it).sum());
        });
    return least;
  }
}
