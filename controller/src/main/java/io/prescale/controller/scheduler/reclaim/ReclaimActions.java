package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.scheduler.evictions.Attempts;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.ReclaimStep;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out steps, one write each; what fails is tried again later. For one thread at a time. */
final class ReclaimActions {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimActions.class);

  /** Until kube-scheduler is notified again about a pod of which it has not asked. */
  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofSeconds(30);

  private final ReclaimWriter writer;
  private final SuspendedWorkloads suspended;
  private final InstalledKinds kinds;
  private final Takings takings;
  private final Function<String, Optional<PodTerms>> pods;
  private final Attempts attempts = new Attempts("taking back");
  private final ProtectedPods refused = new ProtectedPods();
  private final Map<String, Instant> asked = new HashMap<>();

  /** Notices that are left where they are, because this program may not remove them. */
  private final Set<ReclaimStep> left = new HashSet<>();

  /** Keys of the workloads. */
  private final Set<String> refusedResumptions = new HashSet<>();

  private final boolean mayTake;

  /**
   * Nothing was done yet.
   *
   * @param mayTake whether this program has the right to write notices
   */
  ReclaimActions(
      ReclaimWriter writer,
      SuspendedWorkloads suspended,
      InstalledKinds kinds,
      Takings takings,
      Function<String, Optional<PodTerms>> pods,
      boolean mayTake) {
    this.mayTake = mayTake;
    this.writer = writer;
    this.suspended = suspended;
    this.kinds = kinds;
    this.takings = takings;
    this.pods = pods;
  }

  /**
   * What a round has seen.
   *
   * @param held what pods of these UIDs ask for
   * @param ownership what is suspended with a pod
   * @param isAnswering whether this replica still decides; another one does not know its writes
   */
  record Scene(
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Function<Set<String>, List<PodFacts>> held,
      Function<PodTerms, Ownership> ownership,
      BooleanSupplier isAnswering,
      Instant now) {
    CardHolder holder(String uid) {
      return Objects.requireNonNull(holders.get(uid));
    }
  }

  /**
   * Carries out the steps of a round.
   *
   * @return those that did not fail and were due
   */
  List<ReclaimStep> carryOut(List<ReclaimStep> steps, Scene scene) {
    attempts.retries().forget(scene.now());
    left.retainAll(steps);
    return steps.stream()
        .filter(step -> !left.contains(step))
        .filter(step -> attempts.attempt(key(step), scene.now(), () -> carryOut(step, scene)))
        .toList();
  }

  /** UIDs of the pods whose eviction has been refused for so long that others are to be taken. */
  Set<String> refused(Instant now) {
    return refused.lasting(now);
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
      default -> step.toString();
    };
  }

  private void carryOut(ReclaimStep step, Scene scene) {
    var now = scene.now();
    switch (step) {
      case ReclaimStep.Notify(var uid, var notice) ->
          pods.apply(uid).ifPresent(pod -> writer.notice(pod, Optional.of(notice)));
      case ReclaimStep.Withdraw(var uid) ->
          pods.apply(uid).ifPresent(pod -> withdraw(step, pod, now));
      case ReclaimStep.Evict(var uid, _) -> pods.apply(uid).ifPresent(pod -> evict(pod, "", scene));
      case ReclaimStep.Suspend suspend -> suspend(suspend, scene);
      case ReclaimStep.Resume(var workload) -> resume(workload, now);
      case ReclaimStep.Ask(var claim) -> ask(scene.claims(), claim, now);
      case ReclaimStep.Advise _ -> {
        // Only reported.
      }
    }
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
    writer
        .pods()
        .event(pod, "ReclaimWithdrawn", "Its cards are no longer needed; it keeps them.", now);
  }

  private void evict(PodTerms pod, String cause, Scene scene) {
    var now = scene.now();
    if (!attempts.retries().isDue(pod.uid(), now) || !scene.isAnswering().getAsBoolean()) {
      return;
    }
    attempts.retries().tried(pod.uid(), now);
    var holder = scene.holder(pod.uid());
    if (writer.pods().evict(pod)) {
      refused.accepted(pod.uid());
      takings.taken(holder, ReclaimMetrics.How.EVICTED, now);
      writer
          .pods()
          .event(
              pod,
              "Reclaimed",
              "Evicted, since queue %s gives cards back.%s".formatted(holder.queue(), cause),
              now);
    } else {
      refused.refused(pod.uid(), now);
      writer
          .pods()
          .event(
              pod,
              "ReclaimWaits",
              "A PodDisruptionBudget does not allow its eviction now; it is tried again.",
              now);
    }
  }

  /** A workload that cannot be suspended loses its pods one by one. */
  private void suspend(ReclaimStep.Suspend step, Scene scene) {
    var now = scene.now();
    var workload =
        step.uids().stream()
            .flatMap(uid -> pods.apply(uid).stream())
            .flatMap(pod -> scene.ownership().apply(pod).workload().stream())
            .findFirst();
    if (workload.isEmpty() || !scene.isAnswering().getAsBoolean()) {
      return;
    }
    var outcome = suspend(workload.get(), step.uids(), scene);
    for (var uid : step.uids()) {
      switch (outcome) {
        case DONE -> takings.taken(scene.holder(uid), ReclaimMetrics.How.SUSPENDED, now);
        case IMPOSSIBLE -> pods.apply(uid).ifPresent(pod -> evict(pod, "", scene));
        case IGNORED ->
            pods.apply(uid)
                .ifPresent(
                    pod ->
                        evict(
                            pod,
                            " %s is suspended, and its controller has not removed the pod."
                                .formatted(step.workload()),
                            scene));
      }
    }
    if (outcome == ReclaimWriter.Outcome.DONE && attempts.retries().isDue(step.workload(), now)) {
      attempts.retries().tried(step.workload(), now);
      LOG.info("{} is suspended; its queue gives cards back.", step.workload());
    }
  }

  private ReclaimWriter.Outcome suspend(Suspendable workload, Set<String> uids, Scene scene) {
    var held = scene.held().apply(uids);
    var context = kinds.find(workload.kind());
    if (held.isEmpty() || context.isEmpty()) {
      return ReclaimWriter.Outcome.IMPOSSIBLE;
    }
    var had = SuspendedPods.of(held);
    return had.isTooLong()
        ? ReclaimWriter.Outcome.IMPOSSIBLE
        : writer.suspend(workload, context.get(), had, scene.now());
  }

  private void resume(String workload, Instant now) {
    suspended
        .find(workload)
        .ifPresent(
            it -> {
              resume(it, now);
              attempts.retries().tried(key(new ReclaimStep.Resume(workload)), now);
              refusedResumptions.remove(workload);
              writer.event(it, "ReclaimResumed", "There is room again; it goes on.", now);
            });
  }

  /**
   * What refuses it once, such as a webhook that changes more in the same update, does so again.
   */
  private void resume(SuspendedWorkloads.Marked marked, Instant now) {
    try {
      writer.resume(marked);
    } catch (KubernetesClientException e) {
      if (ApiFailure.isLasting(e) && refusedResumptions.add(marked.workload().key())) {
        writer.event(
            marked,
            "ReclaimResumeRefused",
            "It may go on and stays suspended; it is tried again: " + ApiFailure.text(e),
            now);
      }
      throw e;
    }
  }

  /** How many suspended workloads the API server last refused to resume. */
  int refusedResumptions() {
    refusedResumptions.removeIf(it -> suspended.find(it).isEmpty());
    return refusedResumptions.size();
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
