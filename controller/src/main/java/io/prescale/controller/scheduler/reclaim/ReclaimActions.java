package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.scheduler.evictions.Attempts;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimStep;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out steps, one write each; what fails is tried again later. Not thread-safe. */
final class ReclaimActions {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimActions.class);

  /** Until kube-scheduler is notified again about a pod of which it has not asked. */
  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofSeconds(30);

  private final ReclaimWriter writer;
  private final ResumedWorkloads resumed;
  private final Pauses pauses;
  private final Takings takings;
  private final Function<String, Optional<PodTerms>> pods;
  private final Attempts attempts = new Attempts("taking back");
  private final ProtectedPods refused = new ProtectedPods();
  private final Map<String, Instant> asked = new HashMap<>();

  /** Those that are to be evicted in this round and have not been. */
  private final List<PodTerms> toEvict = new ArrayList<>();

  /** Notices that are left where they are, because this program may not remove them. */
  private final Set<ReclaimStep> left = new HashSet<>();

  private final boolean mayTake;
  private final InstantSource clock;

  /**
   * Nothing was done yet.
   *
   * @param mayTake whether this program has the right to write notices
   * @param clock by which notices are written
   */
  ReclaimActions(
      ReclaimWriter writer,
      SuspendedWorkloads suspended,
      InstalledKinds kinds,
      Takings takings,
      Function<String, Optional<PodTerms>> pods,
      boolean mayTake,
      InstantSource clock) {
    this.mayTake = mayTake;
    this.clock = clock;
    this.writer = writer;
    resumed = new ResumedWorkloads(writer, suspended);
    pauses = new Pauses(writer, kinds, pods);
    this.takings = takings;
    this.pods = pods;
  }

  /**
   * Carries out the steps of a round.
   *
   * @return those that did not fail and were due, as they were written
   */
  List<ReclaimStep> carryOut(List<ReclaimStep> steps, ReclaimScene scene) {
    attempts.retries().forget(scene.now());
    left.retainAll(steps);
    toEvict.clear();
    for (var step : steps) {
      if (step instanceof ReclaimStep.Evict(var uid, _)) {
        pods.apply(uid).ifPresent(toEvict::add);
      }
    }
    return pauses.lastGroupsFirst(steps).stream()
        .filter(step -> !left.contains(step))
        .map(step -> asWritten(step, scene.now()))
        .filter(step -> attempts.attempt(key(step), scene.now(), () -> carryOut(step, scene)))
        .toList();
  }

  /** UIDs of the pods whose eviction has been refused for so long that others are to be taken. */
  Set<String> refused(Instant now) {
    return refused.lasting(now);
  }

  /** How many suspended workloads the API server last refused to resume. */
  int refusedResumptions() {
    return resumed.refused();
  }

  /** Removes the label of workloads that are not to be resumed. */
  void unmark(List<SuspendedWorkloads.Marked> mislabelled, Instant now) {
    for (var each : mislabelled) {
      var key = "unmark " + each.workload().uid();
      if (attempts.attempt(key, now, () -> writer.unmark(each))) {
        attempts.retries().tried(key, now);
      }
    }
  }

  /** Names what a step is about; the time of a notice is another in each round. */
  private static String key(ReclaimStep step) {
    return switch (step) {
      case ReclaimStep.Notify(var uid, _) -> "notify " + uid;
      case ReclaimStep.Suspend(var workload, _, _) -> "suspend " + workload;
      case ReclaimStep.Shrink(var workload, _, _) -> "shrink " + workload;
      default -> step.toString();
    };
  }

  private void carryOut(ReclaimStep step, ReclaimScene scene) {
    var now = scene.now();
    switch (step) {
      case ReclaimStep.Notify(var uid, var notice) ->
          pods.apply(uid).ifPresent(pod -> writer.notice(pod, Optional.of(notice)));
      case ReclaimStep.Withdraw(var uid) ->
          pods.apply(uid).ifPresent(pod -> withdraw(step, pod, now));
      case ReclaimStep.Evict(var uid, var claim) ->
          pods.apply(uid).ifPresent(pod -> evict(pod, "", scene.takingFor(claim)));
      case ReclaimStep.Suspend(_, var uids, var claim) ->
          pause(
              uids,
              ReclaimMetrics.How.SUSPENDED,
              scene.takingFor(claim),
              it -> pauses.suspend(it, uids, scene));
      case ReclaimStep.Shrink(_, var uids, var claim) ->
          pause(
              uids,
              ReclaimMetrics.How.SCALED_DOWN,
              scene.takingFor(claim),
              it -> pauses.shrink(it, uids, scene));
      case ReclaimStep.Resume(var workload) -> {
        if (resumed.resume(workload, now)) {
          attempts.retries().tried(key(step), now);
        }
      }
      case ReclaimStep.Ask(var claim) -> ask(scene.claims(), claim, now);
      case ReclaimStep.Advise _ -> {
        // Only reported.
      }
    }
  }

  /** Shifts a notice by the time that earlier writes took, so that its length stays as decided. */
  private ReclaimStep asWritten(ReclaimStep step, Instant decided) {
    var late = Duration.between(decided, clock.instant());
    return step instanceof ReclaimStep.Notify(var uid, var notice) && late.isPositive()
        ? new ReclaimStep.Notify(uid, new Notice(notice.claim(), notice.at().plus(late)))
        : step;
  }

  /** One that is left from when pods were taken stays, if it may not be removed. */
  private void withdraw(ReclaimStep step, PodTerms pod, Instant now) {
    try {
      writer.notice(pod, Optional.empty());
    } catch (KubernetesClientException e) {
      if (mayTake || e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      left.add(step);
      LOG.warn(
          "Pod {} keeps the notice that an earlier extender gave it, and nothing follows from it;"
              + " scheduler.reclaim=true has it removed: {}",
          pod.display(),
          ApiFailure.text(e));
      return;
    }
    // With the time, so that it is another event than that of an earlier notice.
    var when = pod.notice().map(it -> " at " + PodWriter.written(it.at())).orElse("");
    writer
        .pods()
        .event(
            pod,
            "ReclaimWithdrawn",
            "Its cards are no longer needed%s; it keeps them.".formatted(when),
            now);
  }

  private void evict(PodTerms pod, String cause, ReclaimScene scene) {
    var now = scene.now();
    if (!attempts.retries().isDue(pod.uid(), now) || !scene.isAnswering().getAsBoolean()) {
      return;
    }
    attempts.retries().tried(pod.uid(), now);
    int ofJob = (int) toEvict.stream().filter(it -> isOfOneJob(it, pod)).count();
    var refusal = writer.pods().evict(pod, ofJob);
    if (refusal.isPresent()) {
      refused.refused(pod.uid(), now);
      writer.pods().event(pod, "ReclaimWaits", refusal.get(), now);
      return;
    }
    refused.accepted(pod.uid());
    toEvict.removeIf(it -> it.uid().equals(pod.uid()));
    taken(pod.uid(), ReclaimMetrics.How.EVICTED, scene);
    var queue = scene.holder(pod.uid()).queue();
    writer
        .pods()
        .event(
            pod,
            "Reclaimed",
            "Evicted, since queue %s gives cards back.%s".formatted(queue, cause),
            now);
  }

  private static boolean isOfOneJob(PodTerms one, PodTerms other) {
    return one.namespace().equals(other.namespace()) && one.job().equals(other.job());
  }

  private void taken(String uid, ReclaimMetrics.How how, ReclaimScene scene) {
    var now = scene.now();
    var started = pods.apply(uid).flatMap(PodTerms::started);
    var ran = started.map(it -> Duration.between(it, now)).orElse(Duration.ZERO);
    takings.taken(new Takings.Taking(scene.holder(uid), how, ran, scene.receiver()), now);
  }

  /**
   * A workload that cannot be paused loses its pods one by one.
   *
   * @param pause makes all these pods of a workload leave at once
   */
  private void pause(
      Set<String> uids,
      ReclaimMetrics.How how,
      ReclaimScene scene,
      Function<Suspendable, ReclaimWriter.Outcome> pause) {
    var now = scene.now();
    var found =
        uids.stream()
            .flatMap(uid -> pods.apply(uid).stream())
            .flatMap(pod -> scene.ownership().apply(pod).workload().stream())
            .findFirst();
    if (found.isEmpty() || !scene.isAnswering().getAsBoolean()) {
      return;
    }
    var workload = found.get().key();
    var outcome = pause.apply(found.get());
    if (outcome != ReclaimWriter.Outcome.DONE) {
      var cause = cause(outcome, how).formatted(workload);
      var all = uids.stream().flatMap(uid -> pods.apply(uid).stream()).toList();
      toEvict.addAll(all);
      all.forEach(pod -> evict(pod, cause, scene));
      return;
    }
    uids.forEach(uid -> taken(uid, how, scene));
    if (attempts.retries().isDue(workload, now)) {
      attempts.retries().tried(workload, now);
      LOG.info("{} is {}; its queue gives cards back.", workload, how.label());
    }
  }

  private static String cause(ReclaimWriter.Outcome outcome, ReclaimMetrics.How how) {
    return switch (outcome) {
      case AUTOSCALED ->
          " A HorizontalPodAutoscaler scales %s, which therefore was not scaled down.";
      case IGNORED ->
          " %%s is %s, and its controller has not removed the pod.".formatted(how.label());
      case DONE, IMPOSSIBLE -> "";
    };
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
