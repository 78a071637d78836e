package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.SuspendedWork;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Watches the Jobs that Prescale has suspended, by their label. Thread-safe. */
final class SuspendedJobs implements AutoCloseable {
  /** The label of a Job that was suspended to give cards back. */
  static final String LABEL = "gpu.prescale.io/suspended";

  /** When it was suspended. */
  static final String AT = "gpu.prescale.io/suspended-at";

  /** How many pods lost their cards. */
  static final String PODS = "gpu.prescale.io/suspended-pods";

  /** Room is looked for at most for so many pods of a Job. */
  private static final int MOST_PODS = 64;

  private final Map<String, Job> jobs = new ConcurrentHashMap<>();
  private final SharedIndexInformer<Job> informer;

  SuspendedJobs(KubernetesClient client) {
    informer = client.batch().v1().jobs().inAnyNamespace().withLabel(LABEL).runnableInformer(0);
    informer.addEventHandler(
        new ObjectEvents<>(job -> jobs.put(key(job), job), job -> jobs.remove(key(job))));
    informer.exceptionHandler(BrokenWatch.retried(informer, "suspended Jobs"));
  }

  void start() {
    informer.start();
  }

  boolean isComplete() {
    return informer.hasSynced();
  }

  Optional<Job> find(String key) {
    return Optional.ofNullable(jobs.get(key));
  }

  private static String key(Job job) {
    return job.getMetadata().getNamespace() + "/" + job.getMetadata().getName();
  }

  /** What a pod of each looks like that is to be resumed. */
  Map<String, PodFacts> templates(Function<Pod, PodFacts> facts) {
    var templates = new HashMap<String, PodFacts>();
    jobs.forEach(
        (key, job) -> {
          if (isSuspended(job)) {
            templates.put(key, facts.apply(pod(job)));
          }
        });
    return templates;
  }

  /** Those that have the label but are not to be resumed, since others do that or have done it. */
  List<Job> mislabelled() {
    return jobs.values().stream().filter(job -> !isSuspended(job)).toList();
  }

  /** Whether Prescale has suspended it and is to resume it. */
  static boolean isSuspended(Job job) {
    return Boolean.TRUE.equals(job.getSpec().getSuspend()) && !isOfOthers(job);
  }

  /** Whether another controller decides when it runs: Kueue, a JobSet or any but a CronJob. */
  static boolean isOfOthers(Job job) {
    return job.getSpec().getManagedBy() != null
        || PodTerms.isOfOthers(job.getMetadata())
        || job.getMetadata().getOwnerReferences().stream()
            .filter(owner -> Boolean.TRUE.equals(owner.getController()))
            .anyMatch(owner -> !"CronJob".equals(owner.getKind()));
  }

  private static Pod pod(Job job) {
    var template = job.getSpec().getTemplate();
    var meta = template.getMetadata();
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(job.getMetadata().getNamespace())
        .withName(job.getMetadata().getName())
        .withUid(job.getMetadata().getUid())
        .withLabels(meta == null ? Map.of() : meta.getLabels())
        .withAnnotations(meta == null ? Map.of() : meta.getAnnotations())
        .endMetadata()
        .withSpec(template.getSpec())
        .build();
  }

  /**
   * The suspended work.
   *
   * @param asks what a pod of each asks for
   */
  List<SuspendedWork> work(Map<String, ReclaimFacts.Ask> asks) {
    return jobs.entrySet().stream()
        .flatMap(
            entry ->
                Optional.ofNullable(asks.get(entry.getKey())).stream()
                    .map(ask -> work(entry.getKey(), entry.getValue(), ask)))
        .toList();
  }

  private static SuspendedWork work(String key, Job job, ReclaimFacts.Ask ask) {
    var parallelism = job.getSpec().getParallelism();
    int pods = Math.min(pods(job), parallelism == null ? 1 : Math.max(1, parallelism));
    return new SuspendedWork(
        key, ask.queue(), Collections.nCopies(pods, ask.shape()), pods * ask.milli(), since(job));
  }

  private static int pods(Job job) {
    var text = annotation(job, PODS);
    return text.matches("[1-9][0-9]{0,3}") ? Math.min(MOST_PODS, Integer.parseInt(text)) : 1;
  }

  private static Instant since(Job job) {
    try {
      return Instant.parse(annotation(job, AT));
    } catch (DateTimeParseException _) {
      return Instant.EPOCH;
    }
  }

  private static String annotation(Job job, String key) {
    var all = job.getMetadata().getAnnotations();
    return all == null ? "" : all.getOrDefault(key, "");
  }

  @Override
  public void close() {
    informer.stop();
  }
}
