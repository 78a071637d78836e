package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Advise;
import io.prescale.placement.notice.ReclaimStep.Ask;
import io.prescale.placement.notice.ReclaimStep.Evict;
import io.prescale.placement.notice.ReclaimStep.Notify;
import io.prescale.placement.notice.ReclaimStep.Resume;
import io.prescale.placement.notice.ReclaimStep.Suspend;
import io.prescale.placement.notice.ReclaimStep.Withdraw;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides from what is written down and what waits which writes come next. The same view and time
 * give the same steps; a step that was not carried out, or whose outcome is unknown, comes again.
 *
 * <p>Each claim that stays within what its queue is owed keeps the victims that have their notice
 * for it, as long as they still make room for it and none of them is needless; otherwise the
 * library chooses anew. When the last notice of a claim has run out, its victims are taken: first
 * those that have to be evicted, since a PodDisruptionBudget may refuse that, then workloads are
 * suspended.
 */
public final class ReclaimRound {
  /** New claims for which victims are searched in one round; bounds its time. */
  static final int MOST_SEARCHES = 10;

  private final ReclaimView view;
  private final Instant now;
  private final ClusterAhead ahead;
  private final Map<String, List<CardHolder>> notified;
  private final Map<String, Integer> left;
  private final List<ReclaimStep> steps = new ArrayList<>();
  private final Map<String, Set<String>> kept = new HashMap<>();
  private final Set<Object> hopeless = new HashSet<>();
  private int searches;
  private boolean isEveryClaimSettled = true;

  private ReclaimRound(ReclaimView view, Instant now) {
    this.view = view;
    this.now = now;
    ahead = new ClusterAhead(view);
    notified =
        view.holders().values().stream()
            .filter(CardHolder::isNotified)
            .sorted(Comparator.comparing(CardHolder::uid))
            .collect(groupingBy(holder -> holder.notice().orElseThrow().claim()));
    left = new HashMap<>(view.left());
    notified.values().stream()
        .flatMap(List::stream)
        .forEach(holder -> left.merge(holder.queue(), -1, Integer::sum));
  }

  /**
   * The result of a round.
   *
   * @param kept the cards, by UUID, that are kept for each claim for which pods are taken
   */
  public record Result(List<ReclaimStep> steps, Map<String, Set<String>> kept) {
    public Result {
      steps = List.copyOf(steps);
      kept = Map.copyOf(kept);
    }
  }

  /** The next steps. */
  public static Result decide(ReclaimView view, Instant now) {
    return new ReclaimRound(view, now).run();
  }

  private Result run() {
    view.holders().values().stream().filter(CardHolder::isLeaving).forEach(ahead::leave);
    var waiting = view.claimants().stream().map(Claimant::key).collect(toSet());
    notified.forEach(
        (claim, holders) -> {
          if (!waiting.contains(claim)) {
            withdraw(holders, Set.of());
          }
        });
    view.claimants().stream().filter(this::isUnderWay).sorted(Claimant.ORDER).forEach(this::settle);
    newClaims().forEach(this::settleNew);
    view.suspended().stream()
        .sorted(SuspendedWork.ORDER)
        .filter(this::mayResume)
        .findFirst()
        .ifPresent(work -> steps.add(new Resume(work.key())));
    return new Result(steps, kept);
  }

  /** Of more kinds than are searched in one round, another one is the first each second. */
  private List<Claimant> newClaims() {
    var kinds =
        view.claimants().stream()
            .filter(claim -> !isUnderWay(claim))
            .sorted(Claimant.ORDER)
            .collect(groupingBy(Claimant::kind, LinkedHashMap::new, toList()));
    var order = new ArrayList<>(kinds.values());
    if (order.size() > MOST_SEARCHES) {
      Collections.rotate(order, (int) Math.floorMod(now.getEpochSecond(), (long) order.size()));
    }
    return order.stream().flatMap(List::stream).toList();
  }

  private void settleNew(Claimant claim) {
    if (hopeless.contains(claim.kind())) {
      return;
    }
    if (searches++ >= MOST_SEARCHES) {
      isEveryClaimSettled = false;
      return;
    }
    settle(claim);
  }

  private boolean isUnderWay(Claimant claim) {
    return notified.containsKey(claim.key()) || view.underWay().contains(claim.key());
  }

  private List<CardHolder> victimsOf(Claimant claim) {
    return notified.getOrDefault(claim.key(), List.of());
  }

  private void settle(Claimant claim) {
    var victims = victimsOf(claim);
    if (!ahead.isOwed(claim)) {
      withdraw(victims, Set.of());
      return;
    }
    if (claim.nodes().isEmpty()) {
      // Their notices stay as they are until it is known what they are good for.
      steps.add(new Ask(claim.key()));
      victims.forEach(ahead::leave);
      isEveryClaimSettled &= victims.isEmpty();
      return;
    }
    var willing = victims.stream().filter(holder -> holder.mode() == Mode.ACT).toList();
    var found = ahead.search(claim, willing);
    if (found.isEmpty()) {
      found = searchAnew(claim);
    }
    if (found.isEmpty()) {
      hopeless.add(claim.kind());
      withdraw(victims, Set.of());
      advise(claim);
      return;
    }
    pursue(claim, found.get());
  }

  private Optional<Reclaimed> searchAnew(Claimant claim) {
    var own = victimsOf(claim);
    return ahead
        .search(claim, candidates(claim, Set.of(Mode.ACT)))
        .filter(found -> isAllowed(found, own));
  }

  /** Pods with a notice for another claim are that one's. */
  private List<CardHolder> candidates(Claimant claim, Set<Mode> modes) {
    return view.holders().values().stream()
        .filter(holder -> modes.contains(holder.mode()) && !holder.isLeaving())
        .filter(holder -> !holder.queue().equals(claim.queue()))
        .filter(
            holder ->
                holder.notice().filter(notice -> !notice.claim().equals(claim.key())).isEmpty())
        .filter(holder -> holder.notice().isPresent() || leftOf(holder) > 0)
        .sorted(Comparator.comparing(CardHolder::uid))
        .toList();
  }

  private int leftOf(CardHolder holder) {
    return holder.mode() == Mode.ADVISE ? 1 : left.getOrDefault(holder.queue(), 0);
  }

  /** Whether no queue gives back more in an hour than it has to. */
  private boolean isAllowed(Reclaimed found, Collection<CardHolder> already) {
    var more = new HashMap<String, Integer>();
    for (var holder : holders(found)) {
      if (!already.contains(holder)) {
        more.merge(holder.queue(), 1, Integer::sum);
      }
    }
    return more.entrySet().stream()
        .allMatch(each -> each.getValue() <= left.getOrDefault(each.getKey(), 0));
  }

  private List<CardHolder> holders(Reclaimed found) {
    return found.victims().stream()
        .map(victim -> view.holders().get(victim.request().name()))
        .toList();
  }

  /** Works towards the places that were found. */
  private void pursue(Claimant claim, Reclaimed found) {
    var victims = holders(found);
    boolean isUnderWay = isUnderWay(claim) || !victims.isEmpty();
    withdraw(victimsOf(claim), new HashSet<>(victims));
    for (var victim : victims) {
      if (victim.notice().isEmpty()) {
        var at = now.plus(victim.grace());
        steps.add(new Notify(victim.uid(), new Notice(claim.key(), at)));
        left.merge(victim.queue(), -1, Integer::sum);
      }
    }
    if (victims.stream().allMatch(this::isOver)) {
      take(claim, victims);
    }
    victims.forEach(ahead::leave);
    ahead.arrive(claim.queue(), claim.milli(), found.placements());
    if (isUnderWay) {
      kept.put(
          claim.key(),
          found.placements().stream()
              .flatMap(place -> place.shares().stream())
              .map(share -> share.uuid())
              .collect(toSet()));
    }
  }

  private boolean isOver(CardHolder victim) {
    return victim.notice().filter(notice -> notice.isOver(now)).isPresent();
  }

  private void take(Claimant claim, List<CardHolder> victims) {
    var uids = victims.stream().map(CardHolder::uid).collect(toSet());
    var evicted =
        victims.stream().filter(victim -> !isSuspendable(victim, uids)).map(CardHolder::uid);
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

  /** A workload is suspended if no pod of it loses its cards but the victims. */
  private boolean isSuspendable(CardHolder victim, Set<String> victims) {
    return victim.workload().isPresent()
        && view.holders().values().stream()
            .filter(other -> other.workload().equals(victim.workload()))
            .allMatch(other -> other.isLeaving() || victims.contains(other.uid()));
  }

  private void withdraw(Collection<CardHolder> holders, Set<CardHolder> except) {
    holders.stream()
        .filter(holder -> !except.contains(holder))
        .forEach(holder -> steps.add(new Withdraw(holder.uid())));
  }

  private void advise(Claimant claim) {
    var modes = Set.of(Mode.ADVISE, Mode.ACT);
    var candidates = candidates(claim, modes);
    if (candidates.stream().noneMatch(holder -> holder.mode() == Mode.ADVISE)) {
      return;
    }
    ahead
        .search(claim, candidates)
        .ifPresent(
            found -> {
              var victims = holders(found);
              var last = victims.stream().map(CardHolder::grace).max(Comparator.naturalOrder());
              steps.add(
                  new Advise(
                      claim.key(),
                      victims.stream().map(CardHolder::uid).collect(toSet()),
                      now.plus(last.orElseThrow())));
            });
  }

  private boolean mayResume(SuspendedWork work) {
    boolean othersWait = !isEveryClaimSettled || !kept.isEmpty();
    return ahead.mayHave(work, othersWait) && ahead.search(work).isPresent();
  }
}
