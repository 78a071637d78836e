package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which holders may be taken, and how many more of each queue. Not thread-safe. */
final class Takeable {
  /** By how much the clocks of two replicas may differ. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

  private final ReclaimView view;
  private final Instant now;
  private final List<CardHolder> holders;
  private final Map<String, List<CardHolder>> workloads;

  /** Those with pods on cards that are not known one by one: such pods would end unnoticed. */
  private final Set<String> partlyKnown;

  private final Map<String, Integer> left;

  Takeable(ReclaimView view, Instant now) {
    this.view = view;
    this.now = now;
    holders = List.copyOf(view.holders().values());
    workloads =
        holders.stream()
            .filter(holder -> holder.workload().isPresent())
            .collect(groupingBy(holder -> holder.workload().orElseThrow()));
    var placed =
        view.cluster().placements().map(Placement::request).map(it -> it.name()).collect(toSet());
    partlyKnown =
        holders.stream()
            .filter(holder -> !holder.isLeaving() && !placed.contains(holder.uid()))
            .flatMap(holder -> holder.workload().stream())
            .collect(toSet());
    left = new HashMap<>(view.left());
    holders.stream().filter(this::isNotified).forEach(this::count);
  }

  /** Counts a pod that has its notice, or gets it. */
  void count(CardHolder holder) {
    left.merge(holder.queue(), -1, Integer::sum);
  }

  /** Those that have their notice and have not begun to leave, by claim. */
  Map<String, List<CardHolder>> notified() {
    return holders.stream()
        .filter(this::isNotified)
        .collect(groupingBy(holder -> holder.notice().orElseThrow().claim()));
  }

  private boolean isNotified(CardHolder holder) {
    return holder.isNotified() && !isPutOff(holder);
  }

  /**
   * Whether its notice was made longer than any that is given: no claim waits for that, and none
   * would be served by giving it anew.
   */
  private boolean isPutOff(CardHolder holder) {
    var latest = now.plus(holder.grace()).plus(CLOCK_SKEW);
    return holder.mode() == Mode.ACT
        && holder.notice().filter(notice -> notice.at().isAfter(latest)).isPresent();
  }

  /** Whether a pod may be taken on the terms of its queue. */
  boolean isWilling(CardHolder holder, Set<Mode> modes) {
    return modes.contains(holder.mode())
        && !holder.isLeaving()
        && !isPutOff(holder)
        && !view.refused().contains(holder.uid())
        && view.tree().isLeaf(holder.queue())
        && holder.workload().filter(partlyKnown::contains).isEmpty();
  }

  /** Those that may be taken for a claim; pods with a notice for another one are that one's. */
  List<CardHolder> candidates(Claimant claim, Set<Mode> modes) {
    return holders.stream()
        .filter(holder -> isWilling(holder, modes))
        .filter(holder -> !holder.queue().equals(claim.queue()))
        .filter(
            holder ->
                holder.notice().filter(notice -> !notice.claim().equals(claim.key())).isEmpty())
        .filter(holder -> holder.notice().isPresent() || leftOf(holder) > 0)
        .toList();
  }

  private int leftOf(CardHolder holder) {
    return holder.mode() == Mode.ADVISE ? 1 : left.getOrDefault(holder.queue(), 0);
  }

  /** Whether no queue gives back more in an hour than it has to. */
  boolean isAllowed(Reclaimed found, Collection<CardHolder> already) {
    var more = new HashMap<String, Integer>();
    for (var holder : of(found)) {
      if (!already.contains(holder)) {
        more.merge(holder.queue(), 1, Integer::sum);
      }
    }
    return more.entrySet().stream()
        .allMatch(each -> each.getValue() <= left.getOrDefault(each.getKey(), 0));
  }

  /** The victims of a search. */
  List<CardHolder> of(Reclaimed found) {
    return found.victims().stream().map(victim -> view.holder(victim.request().name())).toList();
  }

  /**
   * Whether pods of a suspended workload have cards, and none of them is asked to leave or leaves.
   * Those that one has left that was scaled down are to stay.
   */
  boolean stays(String workload) {
    var pods = workloads.getOrDefault(workload, List.of());
    return !pods.isEmpty()
        && pods.stream()
            .noneMatch(pod -> pod.isElastic() || pod.isLeaving() || pod.notice().isPresent());
  }

  /**
   * Whether a victim leaves with its workload: with one that is scaled down, or if no pod of one
   * that is suspended loses its cards but these victims and those that leave.
   */
  boolean leavesWithWorkload(CardHolder victim, Set<String> victims) {
    if (victim.isElastic()) {
      return true;
    }
    Optional<String> workload = victim.workload();
    return workload.isPresent()
        && workloads.getOrDefault(workload.get(), List.of()).stream()
            .allMatch(other -> other.isLeaving() || victims.contains(other.uid()));
  }
}
