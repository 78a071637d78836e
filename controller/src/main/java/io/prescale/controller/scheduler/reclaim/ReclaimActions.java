package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.ReclaimStep;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out steps, one write each; what fails is tried again later. For one thread at a time. */
final class ReclaimActions {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimActions.class);

  /** Until kube-scheduler is notified again about a pod of which it has not asked. */
  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofSeconds(30);

  private final ReclaimWriter writer;
  private final SuspendedJobs jobs;
  private final Takings takings;
  private final Function<String, Optional<PodTerms>> pods;
  private final Retries retries = new Retries();
  private final Map<String, Instant> asked = new HashMap<>();

  ReclaimActions(
      ReclaimWriter writer,
      SuspendedJobs jobs,
      Takings takings,
      Function<String, Optional<PodTerms>> pods) {
    this.writer = writer;
    this.jobs = jobs;
    this.takings = takings;
    this.pods = pods;
  }

  /** Carries out the steps of a round. */
  void carryOut(
      List<ReclaimStep> steps,
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Instant now) {
    retries.forget(now);
    steps.forEach(step -> tryStep(step, holders, claims, now));
  }

  private void tryStep(
      ReclaimStep step,
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Instant now) {
    var key = key(step);
    if (!retries.isDue(key, now)) {
      return;
    }
    try {
      carryOut(step, holders, claims, now);
    } catch (KubernetesClientException e) {
      retries.tried(key, now);
      LOG.warn(
          "A step of taking back failed and is decided again: {}: {}", step, ApiFailure.text(e));
    }
  }

  /** Names what a step is about; the time of a notice is another in each round. */
  private static String key(ReclaimStep step) {
    return switch (step) {
      case ReclaimStep.Notify(var uid, _) -> "notify " + uid;
      case ReclaimStep.Suspend(var workload, _, _) -> "suspend " + workload;
      default -> step.toString();
    };
  }

  private void carryOut(
      ReclaimStep step,
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Instant now) {
    switch (step) {
      case ReclaimStep.Notify(var uid, var notice) ->
          pods.apply(uid).ifPresent(pod -> writer.notice(pod, Optional.of(notice)));
      case ReclaimStep.Withdraw(var uid) -> pods.apply(uid).ifPresent(pod -> withdraw(pod, now));
      case ReclaimStep.Evict(var uid, _) ->
          pods.apply(uid).ifPresent(pod -> evict(pod, queueOf(uid, holders), now));
      case ReclaimStep.Suspend suspend -> suspend(suspend, holders, now);
      case ReclaimStep.Resume(var workload) -> resume(workload, now);
      case ReclaimStep.Ask(var claim) -> ask(claims, claim, now);
      case ReclaimStep.Advise _ -> {
        // Only reported.
      }
    }
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
    var first = step.uids().stream().flatMap(uid -> pods.apply(uid).stream()).findFirst();
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
        pods.apply(uid).ifPresent(pod -> evict(pod, queue, now));
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
        .flatMap(uid -> pods.apply(uid).stream())
        .toList();
  }
}
