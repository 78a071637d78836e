package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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

  /** While so many claims are under way, none is begun; bounds the time of a round, too. */
  static final int MOST_UNDER_WAY = 100;

  private final ReclaimView view;
  private final Instant now;
  private final ClusterAhead ahead;
  private final Takeable takeable;
  private final ClaimKinds kinds = new ClaimKinds();
  private final Map<String, List<CardHolder>> notified;

  /** Claims for which pods are leaving. */
  private final Set<String> leftFor;

  private final List<ReclaimStep> steps = new ArrayList<>();
  private final Map<String, Set<String>> kept = new HashMap<>();
  private final Set<ClaimKinds.Kind> hopeless = new HashSet<>();
  private int searches;
  private int underWay;
  private boolean doOthersWait;

  private ReclaimRound(ReclaimView view, Instant now) {
    this.view = view;
    this.now = now;
    ahead = new ClusterAhead(view);
    takeable = new Takeable(view, now);
    notified = takeable.notified();
    leftFor =
        view.holders().values().stream()
            .filter(CardHolder::isLeaving)
            .flatMap(holder -> holder.notice().stream())
            .map(Notice::claim)
            .collect(toSet());
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
    withdrawNeedless();
    var old = view.claimants().stream().filter(this::isUnderWay).sorted(Claimant.ORDER).toList();
    underWay = old.size();
    old.forEach(this::settleOld);
    newClaims().forEach(this::settleNew);
    resume();
    return new Result(steps, kept);
  }

  /** Withdraws notices for claims that wait no more, of pods without cards, and nonsense. */
  private void withdrawNeedless() {
    var waiting = view.claimants().stream().map(Claimant::key).collect(toSet());
    var needless =
        view.holders().values().stream()
            .filter(CardHolder::isNotified)
            .filter(holder -> !waiting.contains(holder.notice().orElseThrow().claim()))
            .map(CardHolder::uid);
    var strays = view.noticed().stream().filter(uid -> view.noticeOf(uid).isEmpty());
    Stream.concat(needless, strays).sorted().forEach(uid -> steps.add(new Withdraw(uid)));
  }

  /** Those that are owed what they ask for. */
  private List<Claimant> newClaims() {
    return inTurn(
        view.claimants().stream()
            .filter(claim -> !isUnderWay(claim) && ahead.isOwed(claim))
            .sorted(Claimant.ORDER)
            .toList());
  }

  /** If there are more than are searched for in one round, the next ones are first each second. */
  private <T> List<T> inTurn(List<T> all) {
    var order = new ArrayList<>(all);
    if (order.size() > MOST_SEARCHES) {
      long first = now.getEpochSecond() * MOST_SEARCHES;
      Collections.rotate(order, -(int) Math.floorMod(first, (long) order.size()));
    }
    return order;
  }

  private void settleNew(Claimant claim) {
    if (hopeless.contains(kinds.of(claim)) || !ahead.isOwed(claim)) {
      return;
    }
    if (searches++ >= MOST_SEARCHES || underWay >= MOST_UNDER_WAY) {
      doOthersWait = true;
      return;
    }
    settle(claim);
  }

  private boolean isUnderWay(Claimant claim) {
    return notified.containsKey(claim.key())
        || leftFor.contains(claim.key())
        || view.underWay().contains(claim.key());
  }

  private List<CardHolder> victimsOf(Claimant claim) {
    return notified.getOrDefault(claim.key(), List.of());
  }

  private void settleOld(Claimant claim) {
    if (ahead.isOwed(claim)) {
      settle(claim);
    } else {
      withdraw(victimsOf(claim), Set.of());
    }
  }

  /** Decides about a claim that its queue is owed. */
  private void settle(Claimant claim) {
    var victims = victimsOf(claim);
    if (claim.nodes().isEmpty()) {
      // Their notices stay as they are until it is known what they are good for.
      steps.add(new Ask(claim.key()));
      victims.forEach(ahead::leave);
      doOthersWait |= !victims.isEmpty();
      return;
    }
    var willing =
        victims.stream().filter(holder -> takeable.isWilling(holder, Set.of(Mode.ACT))).toList();
    var found = ahead.search(claim, willing);
    if (found.isEmpty()) {
      found = searchAnew(claim);
    }
    if (found.isEmpty()) {
      hopeless.add(kinds.of(claim));
      withdraw(victims, Set.of());
      advise(claim);
      return;
    }
    pursue(claim, found.get());
  }

  private Optional<Reclaimed> searchAnew(Claimant claim) {
    var own = victimsOf(claim);
    return ahead
        .search(claim, takeable.candidates(claim, Set.of(Mode.ACT)))
        .filter(found -> takeable.isAllowed(found, own));
  }

  /** Works towards the places that were found. */
  private void pursue(Claimant claim, Reclaimed found) {
    var victims = takeable.of(found);
    withdraw(victimsOf(claim), new HashSet<>(victims));
    for (var victim : victims) {
      if (victim.notice().isEmpty()) {
        var at = now.plus(victim.grace());
        steps.add(new Notify(victim.uid(), new Notice(claim.key(), at)));
        takeable.count(victim);
      }
    }
    if (victims.stream().allMatch(this::isOver)) {
      take(claim, victims);
    }
    victims.forEach(ahead::leave);
    ahead.arrive(claim.queue(), claim.milli(), found.placements());
    if (isUnderWay(claim)) {
      kept.put(claim.key(), cards(found));
    } else if (!victims.isEmpty()) {
      underWay++;
    }
    doOthersWait |= isUnderWay(claim) || !victims.isEmpty();
  }

  private static Set<String> cards(Reclaimed found) {
    return found.placements().stream()
        .flatMap(place -> place.shares().stream())
        .map(share -> share.uuid())
        .collect(toSet());
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

  private void withdraw(Collection<CardHolder> holders, Set<CardHolder> except) {
    holders.stream()
        .filter(holder -> !except.contains(holder))
        .forEach(holder -> steps.add(new Withdraw(holder.uid())));
  }

  private void advise(Claimant claim) {
    var modes = Set.of(Mode.ADVISE, Mode.ACT);
    var candidates = takeable.candidates(claim, modes);
    if (candidates.stream().noneMatch(holder -> holder.mode() == Mode.ADVISE)) {
      return;
    }
    ahead
        .search(claim, candidates)
        .ifPresent(
            found -> {
              var victims = takeable.of(found);
              var last = victims.stream().map(CardHolder::grace).max(Comparator.naturalOrder());
              steps.add(
                  new Advise(
                      claim.key(),
                      victims.stream().map(CardHolder::uid).collect(toSet()),
                      now.plus(last.orElseThrow())));
            });
  }

  /**
   * Resumes work whose queue holds none any more, so that its pods say why they wait, and one that
   * is owed its cards, or that finds room while nothing is taken for others.
   */
  private void resume() {
    var works = view.suspended().stream().sorted(SuspendedWork.ORDER).toList();
    var homeless = works.stream().filter(work -> !view.tree().isLeaf(work.queue()));
    homeless.limit(MOST_SEARCHES).forEach(work -> steps.add(new Resume(work.key())));
    works.stream()
        .filter(ahead::isOwed)
        .findFirst()
        .or(() -> doOthersWait ? Optional.empty() : withRoom(works))
        .ifPresent(work -> steps.add(new Resume(work.key())));
  }

  private Optional<SuspendedWork> withRoom(List<SuspendedWork> works) {
    return inTurn(works.stream().filter(ahead::mayHave).toList()).stream()
        .limit(MOST_SEARCHES)
        .filter(work -> ahead.search(work).isPresent())
        .findFirst();
  }
}
