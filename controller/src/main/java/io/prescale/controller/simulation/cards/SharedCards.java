package io.prescale.controller.simulation.cards;

import io.prescale.controller.scheduler.reclaim.Keeping;
import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.ledger.ReclaimQuestion;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimRound;
import io.prescale.placement.notice.ReclaimStep;
import io.prescale.placement.notice.ReclaimView;
import io.prescale.placement.notice.SuspendedWork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Jobs beside other pods, and the rounds in which cards are taken back from Jobs with notice and
 * kept for bookings. What the API server would have written down is kept here; what is decided is
 * decided by the code that decides in a cluster. Not thread-safe.
 */
public final class SharedCards {
  /** A limit that no queue reaches. */
  private static final int MANY = 1_000_000;

  private final CardScheduler scheduler;
  private final Map<String, ReclaimPolicy> policies;
  private final Map<String, PausableJob> jobs = new LinkedHashMap<>();
  private final Map<String, String> jobOf = new HashMap<>();
  private final Map<String, Notice> notices = new LinkedHashMap<>();
  private final Keeping keeping = new Keeping();
  private final List<Happened> happened = new ArrayList<>();
  private List<Booking> bookings = List.of();
  private Map<String, Outcome> expected = Map.of();
  private Duration worked = Duration.ZERO;
  private Duration lost = Duration.ZERO;

  /** What happened to a Job, for whom. */
  public record Happened(Instant at, What what, PausableJob job, Optional<Notice> notice) {
    /** What it was. */
    public enum What {
      NOTIFIED,
      WITHDRAWN,
      SUSPENDED,
      RESUMED
    }
  }

  /**
   * No Jobs yet.
   *
   * @param policies on which queues give back what they have borrowed, by name
   */
  public SharedCards(CardScheduler scheduler, Map<String, ReclaimPolicy> policies) {
    this.scheduler = scheduler;
    this.policies = Map.copyOf(policies);
  }

  /** Creates the pods of a Job. */
  public void submit(PausableJob job, Instant now) {
    jobs.put(job.name(), job);
    start(job, now);
  }

  private void start(PausableJob job, Instant now) {
    var pods = job.create(now);
    pods.forEach(pod -> jobOf.put(pod.uid(), job.name()));
    scheduler.create(pods, now);
  }

  /** Replaces the bookings. */
  public void book(Collection<Booking> now) {
    bookings = List.copyOf(now);
  }

  /** Whether a Job has all of its cards. */
  public boolean isRunning(PausableJob job) {
    return !job.pods().isEmpty()
        && job.pods().stream().allMatch(pod -> scheduler.nodeOf(pod).isPresent());
  }

  /** The Job of a pod. */
  public Optional<PausableJob> jobOf(String pod) {
    return Optional.ofNullable(jobOf.get(pod)).map(jobs::get);
  }

  /** The notices that pods have, by pod. */
  public Map<String, Notice> notices() {
    return Map.copyOf(notices);
  }

  /** What became of expected replicas in the last round, by booking, slash, number. */
  public Map<String, Outcome> expected() {
    return expected;
  }

  /** Card time in which Jobs did work that was not lost. */
  public Duration work() {
    return worked.minus(lost);
  }

  /** Card time of work that was lost, because there was no checkpoint. */
  public Duration lost() {
    return lost;
  }

  /** Takes out what happened since the last call. */
  public List<Happened> happened() {
    var all = List.copyOf(happened);
    happened.clear();
    return all;
  }

  /** Lets the Jobs work for some time; those that are complete are deleted. */
  public void pass(Duration time) {
    for (var job : List.copyOf(jobs.values())) {
      if (isRunning(job)) {
        worked = worked.plus(job.pass(time).multipliedBy(job.cards()));
      }
      if (job.isComplete()) {
        deletePods(job);
        jobs.remove(job.name());
      }
    }
  }

  /** Restarts a Job one of whose pods has failed, from its last checkpoint. */
  public void failed(PausableJob job, Instant now) {
    deletePods(job);
    lost = lost.plus(job.suspend(now).multipliedBy(job.cards()));
    start(job, now);
  }

  private void deletePods(PausableJob job) {
    for (var pod : job.pods()) {
      scheduler.delete(pod);
      jobOf.remove(pod);
      notices.remove(pod);
    }
  }

  /** One round of taking back; afterwards pods that have room now are scheduled. */
  public void round(Instant now) {
    var ledger = scheduler.ledger();
    var question =
        new ReclaimQuestion(
            notices.values().stream().map(Notice::claim).collect(Collectors.toSet()),
            templates(now),
            bookings,
            now);
    ledger.reclaimFacts(question).ifPresent(known -> round(known, now));
    scheduler.retry(now);
  }

  /** A pod of each suspended Job. */
  private Map<String, PodFacts> templates(Instant now) {
    return suspended()
        .collect(
            Collectors.toMap(
                PausableJob::name, job -> job.template().pod(job.name(), Optional.empty(), now)));
  }

  private Stream<PausableJob> suspended() {
    return jobs.values().stream().filter(job -> job.suspended().isPresent());
  }

  private void round(ReclaimFacts known, Instant now) {
    var view = view(known, now);
    var waiting =
        view.claimants().stream().collect(Collectors.toMap(Claimant::key, Function.identity()));
    var result = ReclaimRound.decide(view, now);
    expected = result.expected();
    keeping.forgetBound(result, waiting.keySet());
    keeping.giveUp(now);
    scheduler.ledger().keep(keeping.kept(result, waiting, view, bookings, now));
    result.steps().forEach(step -> carryOut(step, waiting, now));
  }

  private ReclaimView view(ReclaimFacts known, Instant now) {
    notices.values().forEach(notice -> keeping.isUnderWay(notice.claim(), now));
    var holders = new HashMap<String, CardHolder>();
    var minimum = new HashMap<String, Integer>();
    for (var held : known.held()) {
      holders.put(held.pod().uid(), holder(held));
      held.group().ifPresent(group -> minimum.put(group.name(), group.size()));
    }
    var left = policies.keySet().stream().collect(Collectors.toMap(it -> it, _ -> MANY));
    return new ReclaimView(
        known.cluster(),
        known.tree(),
        known.capacity(),
        known.used(),
        known.demand(),
        holders,
        minimum,
        left,
        known.claimants().stream().filter(claim -> keeping.isDue(claim.key(), now)).toList(),
        known.expected(),
        keeping.underWay(),
        suspended()
            .flatMap(job -> work(job, Optional.ofNullable(known.suspended().get(job.name()))))
            .toList(),
        notices.keySet(),
        Set.of());
  }

  private CardHolder holder(ReclaimFacts.Held held) {
    var uid = held.pod().uid();
    var policy = policies.getOrDefault(held.queue(), ReclaimPolicy.OFF);
    var job = Optional.ofNullable(jobOf.get(uid));
    return new CardHolder(
        uid,
        held.queue(),
        held.milli(),
        job.isPresent() && held.isTakeable() ? policy.mode() : ReclaimPolicy.Mode.OFF,
        false,
        policy.grace(),
        PausableJob.START,
        Optional.ofNullable(notices.get(uid)),
        held.group().map(PodFacts.Group::name).or(() -> job),
        job,
        false);
  }

  private static Stream<SuspendedWork> work(PausableJob job, Optional<ReclaimFacts.Ask> each) {
    return each.stream()
        .map(
            ask ->
                new SuspendedWork(
                    job.name(),
                    Map.of(ask.queue(), ask.milli() * job.size()),
                    IntStream.range(0, job.size()).mapToObj(_ -> ask.shape()).toList(),
                    job.suspended().orElseThrow()));
  }

  private void carryOut(ReclaimStep step, Map<String, Claimant> claims, Instant now) {
    switch (step) {
      case ReclaimStep.Notify(var uid, var notice) -> {
        notices.put(uid, notice);
        jobOf(uid).ifPresent(job -> record(now, What.NOTIFIED, job, Optional.of(notice)));
      }
      case ReclaimStep.Withdraw(var uid) -> {
        var notice = Optional.ofNullable(notices.remove(uid));
        jobOf(uid).ifPresent(job -> record(now, What.WITHDRAWN, job, notice));
      }
      case ReclaimStep.Evict(var uid, _) -> jobOf(uid).ifPresent(job -> suspend(job, now));
      case ReclaimStep.Suspend(var name, _, _) ->
          Optional.ofNullable(jobs.get(name)).ifPresent(job -> suspend(job, now));
      case ReclaimStep.Resume(var name) ->
          Optional.ofNullable(jobs.get(name)).ifPresent(job -> resume(job, now));
      case ReclaimStep.Ask(var claim) ->
          Optional.ofNullable(claims.get(claim))
              .ifPresent(it -> it.pods().forEach(pod -> scheduler.attempt(pod, now)));
      case ReclaimStep.Advise _, ReclaimStep.Shrink _ -> {} // Jobs are suspended
    }
  }

  /** A Job that has time for it saves its work. */
  private void suspend(PausableJob job, Instant now) {
    var last = job.pods().stream().map(notices::get).filter(Objects::nonNull).findFirst();
    var policy = policies.getOrDefault(job.template().queue(), ReclaimPolicy.OFF);
    if (policy.grace().isPositive()) {
      job.checkpoint();
    }
    deletePods(job);
    lost = lost.plus(job.suspend(now).multipliedBy(job.cards()));
    record(now, What.SUSPENDED, job, last);
  }

  private void resume(PausableJob job, Instant now) {
    start(job, now);
    record(now, What.RESUMED, job, Optional.empty());
  }

  private void record(Instant now, What what, PausableJob job, Optional<Notice> notice) {
    happened.add(new Happened(now, what, job, notice));
  }
}
