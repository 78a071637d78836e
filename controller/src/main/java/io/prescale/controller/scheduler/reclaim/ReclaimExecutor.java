package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimRound;
import io.prescale.placement.notice.ReclaimStep;
import io.prescale.placement.notice.ReclaimView;
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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what queues have borrowed: reads what is written on pods and Jobs, has {@link
 * ReclaimRound} decide, and carries out its steps. What it remembers itself only spares writes and
 * counts takings, so another one goes on where this one ends.
 */
public final class ReclaimExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimExecutor.class);

  /** A claim that has its room binds within seconds; then its cards are no longer kept. */
  private static final Duration UNTIL_BOUND = Duration.ofMinutes(2);

  /** Until kube-scheduler is notified again about a pod of which it has not asked. */
  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofSeconds(30);

  private final Ledger ledger;
  private final InstantSource clock;
  private final Supplier<Map<String, ReclaimPolicy>> policies;
  private final Function<Pod, PodFacts> facts;
  private final ReclaimWriter writer;
  private final ReclaimReports reports;
  private final SuspendedJobs jobs;
  private final Map<String, PodTerms> pods = new ConcurrentHashMap<>();
  private final Takings takings = new Takings();
  private final Retries retries = new Retries();
  private final Map<String, Instant> asked = new HashMap<>();
  private final Map<String, Instant> underWay = new HashMap<>();

  /**
   * An executor that does not watch yet.
   *
   * @param policies of the queues in force that do not refuse, by name
   * @param facts reads a pod as the ledger does
   */
  public ReclaimExecutor(
      KubernetesClient client,
      Ledger ledger,
      InstantSource clock,
      Supplier<Map<String, ReclaimPolicy>> policies,
      Function<Pod, PodFacts> facts) {
    this.ledger = ledger;
    this.clock = clock;
    this.policies = policies;
    this.facts = facts;
    writer = new ReclaimWriter(client);
    reports = new ReclaimReports(writer, this::pod);
    jobs = new SuspendedJobs(client);
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

  /** Starts to watch suspended Jobs. */
  public void start() {
    jobs.start();
  }

  /** One round; for one thread, while this replica answers. */
  public void round() {
    var now = clock.instant();
    var terms = policies.get();
    var noticed =
        pods.values().stream()
            .flatMap(pod -> pod.notice().stream())
            .map(Notice::claim)
            .collect(Collectors.toSet());
    var templates = jobs.templates(facts);
    boolean isIdle = terms.isEmpty() && noticed.isEmpty() && templates.isEmpty();
    var known = isIdle ? Optional.<ReclaimFacts>empty() : ledger.reclaimFacts(noticed, templates);
    if (known.isEmpty()) {
      underWay.clear();
      ledger.keep(List.of());
      letGo(templates.keySet(), now);
      return;
    }
    retries.forget(pods.keySet());
    var claims =
        known.get().claimants().stream()
            .collect(Collectors.toMap(Claimant::key, Function.identity()));
    var view = view(known.get(), terms, now);
    var result = ReclaimRound.decide(view, now);
    keep(result, view, claims, now);
    result.steps().forEach(step -> tryStep(step, view.holders(), claims, now));
    reports.report(result.steps(), view, claims, now);
  }

  /** Without queues nothing is owed to any. */
  private void letGo(Set<String> suspended, Instant now) {
    var steps = new ArrayList<ReclaimStep>();
    pods.values().stream()
        .filter(pod -> pod.notice().isPresent() && !pod.isLeaving())
        .forEach(pod -> steps.add(new ReclaimStep.Withdraw(pod.uid())));
    suspended.forEach(job -> steps.add(new ReclaimStep.Resume(job)));
    steps.forEach(step -> tryStep(step, Map.of(), Map.of(), now));
  }

  private ReclaimView view(ReclaimFacts known, Map<String, ReclaimPolicy> terms, Instant now) {
    var holders = new HashMap<String, CardHolder>();
    var minimum = new HashMap<String, Integer>();
    for (var held : known.held()) {
      var pod = pods.get(held.pod().uid());
      if (pod != null) {
        var policy = terms.getOrDefault(held.queue(), ReclaimPolicy.OFF);
        holders.put(pod.uid(), pod.holding(held, policy));
        held.group().ifPresent(group -> minimum.put(pod.gang(group), group.size()));
      }
    }
    var left = new HashMap<String, Integer>();
    terms.forEach(
        (queue, policy) -> left.put(queue, policy.maxPerHour() - takings.inTheHour(queue, now)));
    return new ReclaimView(
        known.cluster(),
        known.tree(),
        known.capacityMilli(),
        known.used(),
        known.demand(),
        holders,
        minimum,
        left,
        known.claimants(),
        underWay.keySet(),
        jobs.isComplete() ? jobs.work(known.suspended()) : List.of());
  }

  /** Keeps the cards of claims for which pods are taken, until they are bound. */
  private void keep(
      ReclaimRound.Result result, ReclaimView view, Map<String, Claimant> claims, Instant now) {
    underWay.keySet().retainAll(result.kept().keySet());
    var stillHeld =
        view.holders().values().stream()
            .flatMap(holder -> holder.notice().stream())
            .map(Notice::claim)
            .collect(Collectors.toSet());
    result
        .kept()
        .keySet()
        .forEach(
            claim -> {
              if (stillHeld.contains(claim)) {
                underWay.put(claim, now);
              } else {
                underWay.putIfAbsent(claim, now);
              }
            });
    underWay.values().removeIf(since -> since.plus(UNTIL_BOUND).isBefore(now));
    ledger.keep(
        result.kept().entrySet().stream()
            .filter(entry -> underWay.containsKey(entry.getKey()))
            .map(
                entry ->
                    new KeptCards(
                        Objects.requireNonNull(claims.get(entry.getKey())).pods(),
                        entry.getValue()))
            .toList());
  }

  private void tryStep(
      ReclaimStep step,
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Instant now) {
    try {
      carryOut(step, holders, claims, now);
    } catch (KubernetesClientException e) {
      // What has changed meanwhile is decided again in the next round.
      LOG.warn(
          "A step of taking back failed and is decided again: {}: {}", step, ApiFailure.text(e));
    }
  }

  private void carryOut(
      ReclaimStep step,
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Instant now) {
    switch (step) {
      case ReclaimStep.Notify(var uid, var notice) ->
          pod(uid).ifPresent(pod -> writer.notice(pod, Optional.of(notice)));
      case ReclaimStep.Withdraw(var uid) -> pod(uid).ifPresent(pod -> withdraw(pod, now));
      case ReclaimStep.Evict(var uid, _) ->
          pod(uid).ifPresent(pod -> evict(pod, queueOf(uid, holders), now));
      case ReclaimStep.Suspend suspend -> suspend(suspend, holders, now);
      case ReclaimStep.Resume(var workload) -> resume(workload, now);
      case ReclaimStep.Ask(var claim) -> ask(claims, claim, now);
      case ReclaimStep.Advise _ -> {
        // Only reported.
      }
    }
  }

  private Optional<PodTerms> pod(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  private static String queueOf(String uid, Map<String, CardHolder> holders) {
    return Objects.requireNonNull(holders.get(uid)).queue();
  }

  private void withdraw(PodTerms pod, Instant now) {
    writer.notice(pod, Optional.empty());
    writer.event(pod, "ReclaimWithdrawn", "Its cards are no longer needed; it keeps them.", now);
  }

  private void evict(PodTerms pod, String queue, Instant now) {
    if (!retries.isDue(pod.uid(), now)) {
      return;
    }
    retries.tried(pod.uid(), now);
    if (writer.evict(pod) == ReclaimWriter.Outcome.DONE) {
      takings.taken(queue, pod.uid(), now);
      writer.event(
          pod, "Reclaimed", "Evicted, since queue %s gives cards back.".formatted(queue), now);
    } else {
      writer.event(
          pod,
          "ReclaimWaits",
          "A PodDisruptionBudget does not allow its eviction now; it is tried again.",
          now);
    }
  }

  /** A Job that cannot be suspended loses its pods one by one. */
  private void suspend(ReclaimStep.Suspend step, Map<String, CardHolder> holders, Instant now) {
    var first = step.uids().stream().flatMap(uid -> pod(uid).stream()).findFirst();
    if (first.isEmpty()) {
      return;
    }
    var namespace = first.get().namespace();
    var name = first.get().job().orElseThrow();
    var outcome = writer.suspend(namespace, name, step.uids().size(), now);
    for (var uid : step.uids()) {
      var queue = queueOf(uid, holders);
      if (outcome == ReclaimWriter.Outcome.DONE) {
        takings.taken(queue, uid, now);
      } else {
        pod(uid).ifPresent(pod -> evict(pod, queue, now));
      }
    }
    if (outcome == ReclaimWriter.Outcome.DONE && retries.isDue(step.workload(), now)) {
      retries.tried(step.workload(), now);
      LOG.info("Job {} is suspended; its queue gives cards back.", step.workload());
    }
  }

  private void resume(String workload, Instant now) {
    jobs.find(workload)
        .ifPresent(
            job -> {
              writer.resume(job);
              writer.event(job, "ReclaimResumed", "There is room again; the Job goes on.", now);
            });
  }

  private void ask(Map<String, Claimant> claims, String claim, Instant now) {
    asked.values().removeIf(at -> at.plus(UNTIL_ASKED_AGAIN).isBefore(now));
    if (asked.putIfAbsent(claim, now) == null) {
      podsOf(claims, claim).forEach(pod -> writer.ask(pod, now));
    }
  }

  private List<PodTerms> podsOf(Map<String, Claimant> claims, String claim) {
    return Objects.requireNonNull(claims.get(claim)).pods().stream()
        .flatMap(uid -> pod(uid).stream())
        .toList();
  }

  @Override
  public void close() {
    jobs.close();
  }
}
