package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The members of a gang.
 *
 * @param absent those that hold nothing yet
 * @param placed how many are bound or being bound
 */
record PodGang(Group group, List<PodFacts> absent, long placed) {
  PodGang {
    absent = List.copyOf(absent);
  }

  /** How many of its members there are. */
  long there() {
    return absent.size() + placed;
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
          long needed = Math.max(0, group.size() - placed - ofOthers);
          least.put(queue, each.stream().sorted().limit(needed).mapToLong(it -> it).sum());
        });
    return least;
  }
}
