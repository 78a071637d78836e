package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.scheduler.evictions.NewestSteps;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.ledger.ReclaimQuestion;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimRound;
import io.prescale.placement.notice.ReclaimStep;
import io.prescale.placement.notice.ReclaimView;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Takes back what queues have borrowed, and keeps cards for bookings: reads what is written on pods
 * and workloads, has {@link ReclaimRound} decide, and carries out its steps. What it remembers
 * itself only spares writes and counts takings, so another one goes on where this one ends.
 */
public final class ReclaimExecutor implements AutoCloseable {
  /** The system property to have pods and workloads taken; the chart sets it, with the rights. */
  static final String PROPERTY = "prescale.extender.reclaim";

  private final Ledger ledger;
  private final InstantSource clock;
  private final Supplier<Map<String, ReclaimPolicy>> policies;
  private final Supplier<List<Booking>> bookings;
  private final ReclaimReports reports;
  private final InstalledKinds kinds;
  private final Owners owners;
  private final SuspendedWorkloads suspended;
  private final Map<String, PodTerms> pods = new ConcurrentHashMap<>();
  private final ReclaimMetrics metrics;
  private final NoticeWebhook webhook;
  private final Takings takings;
  private final ReclaimActions actions;
  private final Keeping keeping = new Keeping();
  private final Resumptions resumptions = new Resumptions();

  /** What became of each replica that is expected. For the thread of the rounds. */
  private Map<String, Expectation.Outcome> outcomes = Map.of();

  private volatile Map<String, Integer> notified = Map.of();
  private volatile Map<String, BookingState> booked = Map.of();
  private volatile List<CardHolder> holdersWithNotice = List.of();

  /**
   * An executor that does not watch yet.
   *
   * @param webhook to which notices are posted, too, if there is one
   * @param policies of the queues in force that do not refuse, by name
   * @param bookings that are to be kept to
   */
  public ReclaimExecutor(
      KubernetesClient client,
      Ledger ledger,
      InstantSource clock,
      ReclaimMetrics metrics,
      Optional<URI> webhook,
      Supplier<Map<String, ReclaimPolicy>> policies,
      Supplier<List<Booking>> bookings) {
    this.ledger = ledger;
    this.clock = clock;
    this.metrics = metrics;
    this.webhook = new NoticeWebhook(webhook, metrics, clock, Duration.ofSeconds(1));
    takings = new Takings(metrics);
    this.policies = policies;
    this.bookings = bookings;
    var writer = new ReclaimWriter(client);
    reports = new ReclaimReports(writer.pods(), this.webhook, this::pod);
    kinds = new InstalledKinds(client, Thread::startVirtualThread);
    owners = new Owners(client, kinds, Thread::startVirtualThread);
    suspended = new SuspendedWorkloads(client);
    actions = new ReclaimActions(writer, suspended, kinds, takings, this::pod, isEnabled(), clock);
  }

  /** Whether pods are taken by this process; otherwise workloads are not even watched. */
  public static boolean isEnabled() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Records the newest state of a pod. */
  public void seen(Pod pod) {
    var terms = PodTerms.of(pod);
    pods.put(terms.uid(), terms);
  }

  /** Removes a pod that is gone. */
  public void gone(Pod pod) {
    pods.remove(pod.getMetadata().getUid());
  }

  /**
   * One round; for one thread. If it fails, no cards are kept until another one has not.
   *
   * @param isAnswering whether this replica still decides; asked before each taking
   */
  public void round(BooleanSupplier isAnswering) {
    try {
      round(isAnswering, clock.instant());
    } catch (RuntimeException e) {
      ledger.keep(List.of());
      throw e;
    }
  }

  private void round(BooleanSupplier isAnswering, Instant now) {
    var terms = policies.get();
    var noticed =
        pods.values().stream()
            .flatMap(pod -> pod.notice().stream())
            .map(Notice::claim)
            .collect(Collectors.toSet());
    if (isEnabled()) {
      suspended.watch(kinds.at(now), now);
    }
    metrics.refusedResumptions(actions.refusedResumptions());
    actions.unmark(suspended.mislabelled(), now);
    var paused = suspended.toBeResumed(now);
    var templates = SuspendedWorkloads.templates(paused);
    var question = new ReclaimQuestion(noticed, templates, bookings.get(), now);
    boolean isIdle =
        terms.isEmpty() && marked().isEmpty() && paused.isEmpty() && question.bookings().isEmpty();
    var deciding = metrics.deciding();
    var known = isIdle ? Optional.<ReclaimFacts>empty() : ledger.reclaimFacts(question);
    if (known.isEmpty()) {
      keeping.clear();
      notified = Map.of();
      booked = Map.of();
      outcomes = Map.of();
      ledger.keep(List.of());
      letGo(paused, isAnswering, now);
      return;
    }
    var view = view(known.get(), terms, paused, now);
    var waiting =
        view.claimants().stream().collect(Collectors.toMap(Claimant::key, Function.identity()));
    var claims = new HashMap<>(waiting);
    view.expected().forEach(each -> claims.putIfAbsent(each.notices(), each.claim()));
    var result = ReclaimRound.decide(view, now);
    deciding.observeDuration();
    outcomes = BookingState.known(known.get().expected(), result.expected(), outcomes);
    booked = BookingState.of(known.get().expected(), outcomes, result.places());
    keeping.forgetBound(result, waiting.keySet());
    for (var claim : keeping.giveUp(now)) {
      reports.unbound(Objects.requireNonNull(waiting.get(claim)), now);
    }
    keeping.giveUpBooked(result, view, now).forEach(claim -> reports.unbound(claim, now));
    ledger.keep(keeping.kept(result, waiting, view, question.bookings(), now));
    var scene =
        new ReclaimScene(view.holders(), claims, known.get()::podsOf, owners::of, isAnswering, now);
    var done = actions.carryOut(result.steps(), scene);
    reports.report(done, view, claims, now);
    count(done, view, now);
  }

  private void count(List<ReclaimStep> done, ReclaimView view, Instant now) {
    for (var step : done) {
      switch (step) {
        case ReclaimStep.Notify(var uid, _) -> metrics.notified(view.holder(uid));
        case ReclaimStep.Withdraw(var uid) when view.holders().containsKey(uid) ->
            metrics.withdrawn(view.holder(uid));
        case ReclaimStep.Evict(var uid, _) -> pod(uid).ifPresent(owners::forget);
        case ReclaimStep.Resume(var key) ->
            view.suspended().stream()
                .filter(work -> work.key().equals(key))
                .forEach(
                    work -> {
                      resumptions.begun(work, view.holders().values(), now);
                      metrics.resumed(work, now);
                    });
        default -> {
          // Takings are counted where it is known whether they were accepted.
        }
      }
    }
    var count = new HashMap<String, Integer>();
    view.holders().values().stream()
        .filter(CardHolder::isNotified)
        .flatMap(holder -> view.tree().upwardsFrom(holder.queue()).stream())
        .forEach(queue -> count.merge(queue, 1, Integer::sum));
    notified = Map.copyOf(count);
    holdersWithNotice = view.holders().values().stream().filter(CardHolder::isNotified).toList();
  }

  /** The pods that had notice in the last round, those whose notice runs out first. */
  public List<Noticed> notices() {
    return Noticed.of(holdersWithNotice, key -> pod(key).map(PodTerms::display).orElse(key));
  }

  public List<NewestSteps.Step> lastSteps() {
    return reports.lastSteps();
  }

  /** How many pods of each queue have notice; a parent has those of its children. */
  public Map<String, Integer> notified() {
    return notified;
  }

  /** What became of the replicas that bookings expect, by booking. */
  public Map<String, BookingState> booked() {
    return booked;
  }

  /** Without queues nothing is owed to any. */
  private void letGo(
      List<SuspendedWorkloads.Marked> paused, BooleanSupplier isAnswering, Instant now) {
    var steps = new ArrayList<ReclaimStep>();
    marked().forEach(uid -> steps.add(new ReclaimStep.Withdraw(uid)));
    paused.forEach(each -> steps.add(new ReclaimStep.Resume(each.workload().key())));
    var done = actions.carryOut(steps, ReclaimScene.empty(owners::of, isAnswering, now));
    var rest = new ArrayList<CardHolder>();
    for (var holder : holdersWithNotice) {
      if (done.contains(new ReclaimStep.Withdraw(holder.uid()))) {
        metrics.withdrawn(holder);
        reports.withdrawn(holder);
      } else if (pods.containsKey(holder.uid())) {
        rest.add(holder);
      }
    }
    holdersWithNotice = List.copyOf(rest);
  }

  private ReclaimView view(
      ReclaimFacts known,
      Map<String, ReclaimPolicy> terms,
      List<SuspendedWorkloads.Marked> paused,
      Instant now) {
    if (isEnabled()) {
      owners.read(Holders.concerned(known, pods, terms), now);
    }
    var held = Holders.of(known, pods, terms, owners::of, now);
    var holders = held.byUid();
    // Only notices that are seen: those that cannot be written keep no cards. Pods that are ending
    // count, so that a restarted extender keeps what they leave.
    holders.values().stream()
        .flatMap(holder -> holder.notice().stream())
        .forEach(notice -> keeping.isUnderWay(notice.claim(), now));
    var left = new HashMap<String, Integer>();
    terms.forEach(
        (queue, policy) -> left.put(queue, policy.maxPerHour() - takings.inTheHour(queue, now)));
    return new ReclaimView(
        known.cluster(),
        known.tree(),
        known.capacity(),
        known.used(),
        known.demand(),
        holders,
        held.minimum(),
        left,
        known.claimants().stream()
            .filter(claim -> PodTerms.isClaim(claim.key()) && keeping.isDue(claim.key(), now))
            .toList(),
        known.expected().stream().filter(each -> keeping.isDue(each, now)).toList(),
        keeping.underWay(),
        suspended.isComplete(now) && resumptions.areOver(holders.values(), now)
            ? SuspendedWorkloads.work(paused, known.suspended())
            : List.of(),
        marked(),
        actions.refused(now));
  }

  /** UIDs of the pods on which a notice is written, be it nonsense, and that are not leaving. */
  private Set<String> marked() {
    return pods.values().stream()
        .filter(pod -> pod.isNoticed() && !pod.isLeaving())
        .map(PodTerms::uid)
        .collect(Collectors.toSet());
  }

  private Optional<PodTerms> pod(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  @Override
  public void close() {
    suspended.close();
    webhook.close();
  }
}
