package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Evict;
import io.prescale.placement.notice.ReclaimStep.Notify;
import io.prescale.placement.notice.ReclaimStep.Shrink;
import io.prescale.placement.notice.ReclaimStep.Suspend;
import io.prescale.placement.notice.ReclaimStep.Withdraw;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one round does for claims, whatever they are: steps, and cards that are kept. */
final class Pursuit {
  private final ReclaimView view;
  private final Instant now;
  private final ClusterAhead ahead;
  private final Takeable takeable;
  private final Map<String, List<CardHolder>> notified;

  /** Claims for which pods are leaving. */
  private final Set<String> leftFor;

  /** Those that say when they end. */
  private final List<CardHolder> declared;

  private final List<ReclaimStep> steps = new ArrayList<>();
  private final Map<String, Set<String>> kept = new HashMap<>();

  Pursuit(ReclaimView view, Instant now, ClusterAhead ahead, Takeable takeable) {
    this.view = view;
    this.now = now;
    this.ahead = ahead;
    this.takeable = takeable;
    notified = takeable.notified();
    declared = view.holders().values().stream().filter(it -> it.end().isPresent()).toList();
    leftFor =
        view.holders().values().stream()
            .filter(CardHolder::isLeaving)
            .flatMap(holder -> holder.notice().stream())
            .map(Notice::claim)
            .collect(toSet());
  }

  void add(ReclaimStep step) {
    steps.add(step);
  }

  List<ReclaimStep> steps() {
    return steps;
  }

  Map<String, Set<String>> kept() {
    return kept;
  }

  boolean isOwed(Claimant claim) {
    return ahead.queues().isOwed(claim);
  }

  /** Whether it would be owed its cards if there were more. */
  boolean isOwedOfMore(Claimant claim) {
    return ahead.queues().isOwedOfMore(claim);
  }

  /** Whether pods have notice for a claim, are leaving for it or have left. */
  boolean isUnderWay(Claimant claim) {
    return isAsked(claim.key()) || view.underWay().contains(claim.key());
  }

  /** Whether pods have notice for a claim, or are leaving. */
  boolean isAsked(String claim) {
    return notified.containsKey(claim) || isLeftFor(claim);
  }

  /** Whether pods are leaving for a claim. */
  boolean isLeftFor(String claim) {
    return leftFor.contains(claim);
  }

  /** Those that have notice for a claim. */
  List<CardHolder> victimsOf(String claim) {
    return notified.getOrDefault(claim, List.of());
  }

  /**
   * Those of them that still may go; of a workload that is scaled down only as many as it can spare
   * once those that leave for others are gone.
   */
  List<CardHolder> willing(String claim) {
    var going = new HashMap<String, Integer>();
    return victimsOf(claim).stream()
        .filter(holder -> takeable.isWilling(holder, Set.of(Mode.ACT)))
        .filter(holder -> !holder.leavesAlone() || isSpared(holder.gang().orElseThrow(), going))
        .toList();
  }

  /** What a queue has more than its guarantee once those are gone that leave for others. */
  long beyondGuarantee(String queue) {
    return ahead.queues().beyondGuarantee(queue);
  }

  private boolean isSpared(String gang, Map<String, Integer> going) {
    return going.merge(gang, 1, Integer::sum) <= ahead.spare(gang);
  }

  /** Places for a claim on free cards. */
  Optional<Reclaimed> searchFree(Claimant claim) {
    return ahead.search(claim, List.of());
  }

  /** Places for a claim, free or at the cost of those that have notice for it and still may go. */
  Optional<Reclaimed> searchOld(Claimant claim) {
    return ahead.search(claim, willing(claim.key()));
  }

  /** Places for a claim, at the cost of any that may be taken for it. */
  Optional<Reclaimed> searchAnew(Claimant claim) {
    return ahead
        .search(claim, takeable.candidates(claim, Set.of(Mode.ACT)))
        .filter(found -> takeable.isAllowed(found, victimsOf(claim.key())));
  }

  List<CardHolder> victimsIn(Reclaimed found) {
    return takeable.of(found);
  }

  void withdraw(Collection<CardHolder> holders, Collection<CardHolder> except) {
    holders.stream()
        .filter(holder -> !except.contains(holder))
        .forEach(holder -> steps.add(new Withdraw(holder.uid())));
  }

  /** Gives a pod its notice. */
  void notify(CardHolder victim, String claim) {
    steps.add(new Notify(victim.uid(), new Notice(claim, now.plus(victim.grace()))));
    takeable.count(victim);
  }

  /** Takes the cards of all victims once the last notice has run out. */
  void takeIfOver(String claim, List<CardHolder> victims) {
    if (victims.stream().allMatch(this::isOver)) {
      take(claim, victims);
    }
  }

  /**
   * Takes the cards of those whose notices have run out, of a gang that leaves whole once all have.
   */
  void takeOver(String claim, List<CardHolder> victims) {
    var late =
        victims.stream().filter(victim -> !isOver(victim)).map(CardHolder::unit).collect(toSet());
    take(
        claim,
        victims.stream()
            .filter(this::isOver)
            .filter(victim -> !late.contains(victim.unit()))
            .toList());
  }

  private boolean isOver(CardHolder victim) {
    return victim.notice().filter(notice -> notice.isOver(now)).isPresent();
  }

  private void take(String claim, List<CardHolder> victims) {
    var uids = victims.stream().map(CardHolder::uid).collect(toSet());
    var evicted =
        victims.stream()
            .filter(victim -> !takeable.leavesWithWorkload(victim, uids))
            .map(CardHolder::uid);
    var evictions = evicted.map(uid -> new Evict(uid, claim)).toList();
    steps.addAll(evictions);
    if (evictions.isEmpty()) {
      victims.stream()
          .collect(groupingBy(victim -> victim.workload().orElseThrow()))
          .forEach((workload, pods) -> steps.add(pause(workload, pods, claim)));
    }
  }

  private static ReclaimStep pause(String workload, List<CardHolder> pods, String claim) {
    var uids = pods.stream().map(CardHolder::uid).collect(toSet());
    return pods.getFirst().isElastic()
        ? new Shrink(workload, uids, claim)
        : new Suspend(workload, uids, claim);
  }

  /** Those that have cards still and go by themselves by a time, without any notice. */
  List<CardHolder> endingBy(Instant time) {
    return declared.stream()
        .filter(holder -> holder.endsBy(time) && ahead.placementOf(holder).isPresent())
        .toList();
  }

  /** Has pods leave, for the rest of the round. */
  void leave(Collection<CardHolder> holders) {
    holders.forEach(ahead::leave);
  }

  /** Has a pod that was to leave stay. */
  void stay(CardHolder holder) {
    ahead.stay(holder);
  }

  /** Has a pod that was to leave stay on those of its cards that no other has got. */
  void stayBeside(CardHolder holder, Set<String> given) {
    ahead.stayBeside(holder, given);
  }

  /** Puts a claim on the places that were found, for the rest of the round. */
  void arrive(Claimant claim, Reclaimed found) {
    ahead.arrive(claim.queue(), claim.milli(), found.placements());
  }

  void keep(Claimant claim, Set<String> cards) {
    kept.put(claim.key(), cards);
  }

  /** The cards that a pod has. */
  Set<String> cardsOf(CardHolder holder) {
    return ahead.placementOf(holder).map(Placement::uuids).orElse(Set.of());
  }

  /** The cards of the places that were found. */
  static Set<String> cardsOf(Reclaimed found) {
    return found.placements().stream().flatMap(it -> it.uuids().stream()).collect(toSet());
  }
}
