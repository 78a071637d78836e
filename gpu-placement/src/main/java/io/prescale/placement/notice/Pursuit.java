package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Evict;
import io.prescale.placement.notice.ReclaimStep.Notify;
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

  private final List<ReclaimStep> steps = new ArrayList<>();
  private final Map<String, Set<String>> kept = new HashMap<>();

  Pursuit(ReclaimView view, Instant now, ClusterAhead ahead, Takeable takeable) {
    this.view = view;
    this.now = now;
    this.ahead = ahead;
    this.takeable = takeable;
    notified = takeable.notified();
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

  /** Whether pods have notice for a claim, are leaving for it or have left. */
  boolean isUnderWay(Claimant claim) {
    return isAsked(claim) || view.underWay().contains(claim.key());
  }

  /** Whether pods have notice for a claim, or are leaving. */
  boolean isAsked(Claimant claim) {
    return notified.containsKey(claim.key()) || leftFor.contains(claim.key());
  }

  /** Those that have notice for a claim. */
  List<CardHolder> victimsOf(Claimant claim) {
    return notified.getOrDefault(claim.key(), List.of());
  }

  /** Places for a claim, free or at the cost of those that have notice for it and still may go. */
  Optional<Reclaimed> searchOld(Claimant claim) {
    var willing =
        victimsOf(claim).stream()
            .filter(holder -> takeable.isWilling(holder, Set.of(Mode.ACT)))
            .toList();
    return ahead.search(claim, willing);
  }

  /** Places for a claim, at the cost of any that may be taken for it. */
  Optional<Reclaimed> searchAnew(Claimant claim) {
    return ahead
        .search(claim, takeable.candidates(claim, Set.of(Mode.ACT)))
        .filter(found -> takeable.isAllowed(found, victimsOf(claim)));
  }

  void withdraw(Collection<CardHolder> holders, Collection<CardHolder> except) {
    holders.stream()
        .filter(holder -> !except.contains(holder))
        .forEach(holder -> steps.add(new Withdraw(holder.uid())));
  }

  /** Gives notice, no earlier than each has to have it so that the cards are free at a time. */
  void notify(Claimant claim, List<CardHolder> victims, Instant from) {
    for (var victim : victims) {
      var at = now.plus(victim.grace());
      if (victim.notice().isEmpty() && !at.isBefore(from)) {
        steps.add(new Notify(victim.uid(), new Notice(claim.key(), at)));
        takeable.count(victim);
      }
    }
  }

  /** Takes the cards of all victims once the last notice has run out. */
  void takeIfOver(Claimant claim, List<CardHolder> victims) {
    if (victims.stream().allMatch(this::isOver)) {
      take(claim, victims);
    }
  }

  private boolean isOver(CardHolder victim) {
    return victim.notice().filter(notice -> notice.isOver(now)).isPresent();
  }

  private void take(Claimant claim, List<CardHolder> victims) {
    var uids = victims.stream().map(CardHolder::uid).collect(toSet());
    var evicted =
        victims.stream()
            .filter(victim -> !takeable.isSuspendable(victim, uids))
            .map(CardHolder::uid);
    var evictions = evicted.map(uid -> new Evict(uid, claim.key())).toList();
    steps.addAll(evictions);
    if (evictions.isEmpty()) {
      victims.stream()
          .collect(groupingBy(victim -> victim.workload().orElseThrow()))
          .forEach(
              (workload, pods) ->
                  steps.add(
                      new Suspend(
                          workload,
                          pods.stream().map(CardHolder::uid).collect(toSet()),
                          claim.key())));
    }
  }

  /** Puts a claim on the places that were found, for the rest of the round. */
  void place(Claimant claim, Reclaimed found, List<CardHolder> victims) {
    victims.forEach(ahead::leave);
    ahead.arrive(claim.queue(), claim.milli(), found.placements());
  }

  void keep(Claimant claim, Reclaimed found) {
    kept.put(
        claim.key(),
        found.placements().stream()
            .flatMap(place -> place.shares().stream())
            .map(share -> share.uuid())
            .collect(toSet()));
  }
}
