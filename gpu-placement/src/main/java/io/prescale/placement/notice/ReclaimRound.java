package io.prescale.placement.notice;

import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Advise;
import io.prescale.placement.notice.ReclaimStep.Ask;
import io.prescale.placement.notice.ReclaimStep.Resume;
import io.prescale.placement.notice.ReclaimStep.Withdraw;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides from what is written down and what waits which writes come next. The same view and time
 * give the same steps; a step that was not carried out, or whose outcome is unknown, comes again.
 *
 * <p>Each claim that stays within what its queue is owed keeps the victims that have their notice
 * for it, as long as they still make room for it and none of them is needless; otherwise the
 * library chooses anew. When the last notice of a claim has run out, its victims are taken: first
 * those that have to be evicted, since a PodDisruptionBudget may refuse that, then workloads are
 * suspended or scaled down.
 */
public final class ReclaimRound {
  /** New claims for which victims are searched in one round; bounds its time. */
  static final int MOST_SEARCHES = 10;

  /** While this many claims are under way, none is begun; bounds the time of a round, too. */
  static final int MOST_UNDER_WAY = 100;

  private final ReclaimView view;
  private final Instant now;
  private final ClusterAhead ahead;
  private final Takeable takeable;
  private final Pursuit pursuit;
  private final ClaimKinds kinds = new ClaimKinds();
  private final Set<ClaimKinds.Kind> hopeless = new HashSet<>();
  private int searches;
  private int underWay;
  private boolean doOthersWait;

  private ReclaimRound(ReclaimView view, Instant now) {
    this.view = view;
    this.now = now;
    ahead = new ClusterAhead(view);
    takeable = new Takeable(view, now);
    pursuit = new Pursuit(view, now, ahead, takeable);
  }

  /**
   * The result of a round.
   *
   * @param kept the cards, by UUID, that are kept for each claim for which pods are taken, and for
   *     pods that are expected
   * @param expected what became of those, by the keys of their claims
   * @param places the nodes where those will be that have a place, as it looks now
   */
  public record Result(
      List<ReclaimStep> steps,
      Map<String, Set<String>> kept,
      Map<String, Outcome> expected,
      Map<String, Set<String>> places) {
    public Result {
      steps = List.copyOf(steps);
      kept = Map.copyOf(kept);
      expected = Map.copyOf(expected);
      places = Map.copyOf(places);
    }
  }

  /** The next steps. */
  public static Result decide(ReclaimView view, Instant now) {
    return new ReclaimRound(view, now).run();
  }

  private Result run() {
    view.holders().values().stream().filter(CardHolder::isLeaving).forEach(ahead::leave);
    withdrawNeedless();
    var old = view.claimants().stream().filter(pursuit::isUnderWay).sorted(Claimant.ORDER).toList();
    underWay = old.size();
    old.forEach(this::settleOld);
    newClaims().forEach(this::settleNew);
    var expected = new ExpectedPods(view.expected(), now, inTime(), pursuit, kinds);
    doOthersWait |= expected.settleSoon();
    resume();
    expected.settleLater();
    return new Result(pursuit.steps(), pursuit.kept(), expected.outcomes(), expected.places());
  }

  /** When a pod that gets a card now would have left it, if it were asked at once. */
  private Instant inTime() {
    return view.holders().values().stream()
        .filter(holder -> holder.mode() == Mode.ACT)
        .map(holder -> now.plus(holder.grace()))
        .max(Comparator.naturalOrder())
        .orElse(now);
  }

  /** Withdraws notices for claims that wait no more, of pods without cards, and nonsense. */
  private void withdrawNeedless() {
    var waiting =
        Stream.concat(
                view.claimants().stream().map(Claimant::key),
                view.expected().stream().map(Expectation::notices))
            .collect(toSet());
    var needless =
        view.holders().values().stream()
            .filter(CardHolder::isNotified)
            .filter(holder -> !waiting.contains(holder.notice().orElseThrow().claim()))
            .map(CardHolder::uid);
    var strays = view.noticed().stream().filter(uid -> view.noticeOf(uid).isEmpty());
    Stream.concat(needless, strays).sorted().forEach(uid -> pursuit.add(new Withdraw(uid)));
  }

  /** Those that are owed what they ask for. */
  private List<Claimant> newClaims() {
    return inTurn(
        view.claimants().stream()
            .filter(claim -> !pursuit.isUnderWay(claim) && ahead.queues().isOwed(claim))
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
    if (hopeless.contains(kinds.of(claim)) || !ahead.queues().isOwed(claim)) {
      return;
    }
    if (searches++ >= MOST_SEARCHES || underWay >= MOST_UNDER_WAY) {
      doOthersWait = true;
      return;
    }
    settle(claim);
  }

  private void settleOld(Claimant claim) {
    if (ahead.queues().isOwed(claim)) {
      settle(claim);
    } else {
      pursuit.withdraw(pursuit.victimsOf(claim.key()), List.of());
    }
  }

  /** Decides about a claim that its queue is owed. */
  private void settle(Claimant claim) {
    if (claim.nodes().isEmpty()) {
      // Their notices stay as they are until it is known what they are good for.
      var victims = pursuit.victimsOf(claim.key());
      pursuit.add(new Ask(claim.key()));
      victims.forEach(ahead::leave);
      doOthersWait |= !victims.isEmpty();
      return;
    }
    var found = pursuit.searchOld(claim);
    if (found.isEmpty()) {
      found = pursuit.searchAnew(claim);
    }
    if (found.isEmpty()) {
      hopeless.add(kinds.of(claim));
      pursuit.withdraw(pursuit.victimsOf(claim.key()), List.of());
      advise(claim);
      return;
    }
    pursue(claim, found.get());
  }

  /** Works towards the places that were found. */
  private void pursue(Claimant claim, Reclaimed found) {
    var victims = takeable.of(found);
    pursuit.withdraw(pursuit.victimsOf(claim.key()), victims);
    victims.stream()
        .filter(victim -> victim.notice().isEmpty())
        .forEach(victim -> pursuit.notify(victim, claim.key()));
    pursuit.takeIfOver(claim.key(), victims);
    pursuit.leave(victims);
    pursuit.arrive(claim, found);
    boolean isUnderWay = pursuit.isUnderWay(claim);
    if (isUnderWay) {
      pursuit.keep(claim, Pursuit.cardsOf(found));
    } else if (!victims.isEmpty()) {
      underWay++;
    }
    doOthersWait |= isUnderWay || !victims.isEmpty();
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
              pursuit.add(
                  new Advise(
                      claim.key(),
                      victims.stream().map(CardHolder::uid).collect(toSet()),
                      now.plus(last.orElseThrow())));
            });
  }

  /**
   * Resumes work whose queue holds none any more, so that its pods say why they wait; work whose
   * pods have stayed though it was suspended, and may stay; and one that is owed its cards, or that
   * finds room while nothing is taken for others.
   */
  private void resume() {
    var all =
        view.suspended().stream()
            .sorted(SuspendedWork.ORDER)
            .collect(partitioningBy(this::goesOnAtOnce));
    all.getOrDefault(true, List.of()).stream()
        .limit(MOST_SEARCHES)
        .forEach(work -> pursuit.add(new Resume(work.key())));
    var works = all.getOrDefault(false, List.of());
    var owed = works.stream().filter(ahead.queues()::isOwed).toList();
    owed.stream()
        .filter(ahead.queues()::isGuaranteed)
        .findFirst()
        .or(() -> first(owed, this::canHave))
        .or(
            () ->
                doOthersWait
                    ? Optional.empty()
                    : first(
                        works.stream().filter(ahead.queues()::mayHave).toList(), ahead::hasRoom))
        .ifPresent(work -> pursuit.add(new Resume(work.key())));
  }

  private boolean goesOnAtOnce(SuspendedWork work) {
    return !work.isOf(view.tree()) || takeable.stays(work.key());
  }

  /** The first work for which that is so, of as many as are looked at in one round. */
  private Optional<SuspendedWork> first(
      List<SuspendedWork> works, Predicate<SuspendedWork> condition) {
    return inTurn(works).stream().limit(MOST_SEARCHES).filter(condition).findFirst();
  }

  /**
   * Whether there is a place for work, at the cost of others if it must be. What its queue is owed
   * beyond its guarantee may be on cards that do not fit it.
   */
  private boolean canHave(SuspendedWork work) {
    return ahead.hasRoom(work) || pursuit.searchAnew(work.claim(ahead.nodes())).isPresent();
  }
}
