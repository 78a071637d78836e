package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.scheduler.facts.Facts;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Balloon pods, for autoscalers that serve nothing else to ask by: pods that ask for what the
 * expected replicas will, are said to be unschedulable, and are bound by no scheduler. So a node
 * comes for them and is kept, and they take nothing on it. They are the pods of a Job in a
 * namespace of ours, which ends by itself if this program does not renew it. For one look. Not
 * thread-safe.
 */
final class LiveBalloons implements BufferStore {
  /** A leader renews it at half of that time. */
  private static final Duration LIFETIME = Duration.ofHours(2);

  private static final String NAME = "balloons-";
  private static final String BOOKING = "autoscaling.prescale.io/booking";
  private static final PatchContext MERGE = PatchContext.of(PatchType.STRATEGIC_MERGE);

  private final KubernetesClient client;
  private final String namespace;
  private final Instant now;
  private @Nullable List<Job> jobs;

  /**
   * Those of a namespace.
   *
   * @param namespace in which nothing counts against quotas of users
   */
  LiveBalloons(KubernetesClient client, String namespace, Instant now) {
    this.client = client;
    this.namespace = namespace;
    this.now = now;
  }

  @Override
  public String asks() {
    return "Balloon pods ask";
  }

  @Override
  public boolean isServed() {
    return true;
  }

  @Override
  public boolean suits(BookedTemplate template) {
    return !template.leaderAsksForOthers();
  }

  private static String name(GpuBooking booking) {
    return NAME + booking.getMetadata().getUid();
  }

  private Optional<Job> job(GpuBooking booking) {
    return jobs().stream()
        .filter(it -> it.getMetadata().getName().equals(name(booking)))
        .findFirst();
  }

  /** Of all bookings, as they were when this was first asked. */
  private List<Job> jobs() {
    var known = jobs;
    if (known == null) {
      known =
          client
              .batch()
              .v1()
              .jobs()
              .inNamespace(namespace)
              .withLabels(OwnedObjects.LABELS)
              .list()
              .getItems()
              .stream()
              .filter(it -> it.getMetadata().getName().startsWith(NAME))
              .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
              .toList();
      jobs = known;
    }
    return known;
  }

  /** A booking in another namespace cannot own its Job. */
  @Override
  public void retain(Set<String> bookings) {
    jobs().stream()
        .map(it -> it.getMetadata().getName())
        .filter(it -> !bookings.contains(it.substring(NAME.length())))
        .forEach(this::delete);
  }

  /** One that ends soon is written again, as if it were of another shape. */
  @Override
  public Optional<Buffer> find(GpuBooking booking) {
    return job(booking)
        .map(
            job -> {
              Integer parallel = job.getSpec().getParallelism();
              int pods = parallel == null ? 0 : Math.max(0, parallel);
              var read = BufferNotes.read(job, true, pods / BufferNotes.podsOfReplica(job));
              boolean isEnding = now.isAfter(end(job).minus(LIFETIME.dividedBy(2)));
              return isEnding ? read.unwritten() : read;
            });
  }

  private Instant start(Job job) {
    var status = job.getStatus();
    return status == null || status.getStartTime() == null
        ? now
        : Instant.parse(status.getStartTime());
  }

  private Instant end(Job job) {
    var seconds = job.getSpec().getActiveDeadlineSeconds();
    return seconds == null ? now : start(job).plusSeconds(seconds);
  }

  /** The template of a Job cannot be changed: one of another shape is made anew. */
  @Override
  public void apply(GpuBooking booking, BookedTemplate template, Buffer buffer) {
    var before = job(booking);
    var same = before.filter(it -> BufferNotes.shape(it).equals(buffer.shape()));
    if (before.isPresent() && same.isEmpty()) {
      delete(booking);
    }
    var start = same.map(this::start).orElse(now);
    var meta = booking.getMetadata();
    var annotations = new HashMap<>(BufferNotes.of(buffer, template));
    annotations.put(BOOKING, "%s/%s".formatted(meta.getNamespace(), meta.getName()));
    var job =
        new JobBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name(booking))
            .withResourceVersion(same.map(it -> it.getMetadata().getResourceVersion()).orElse(null))
            .withLabels(OwnedObjects.LABELS)
            .withAnnotations(annotations)
            .endMetadata()
            .withNewSpec()
            .withParallelism(buffer.replicas() * template.pods())
            .withActiveDeadlineSeconds(Duration.between(start, now.plus(LIFETIME)).toSeconds())
            .withTtlSecondsAfterFinished(0)
            .withTemplate(balloon(template.requesting()))
            .endSpec()
            .build();
    client.resource(job).fieldManager(LiveBookings.MANAGER).forceConflicts().serverSideApply();
  }

  /** Nothing of it ever runs, and a namespace that admits only the restricted admits it. */
  private static PodTemplateSpec balloon(PodTemplateSpec replica) {
    var labels = new HashMap<>(OwnedObjects.LABELS);
    labels.put("hami.io/webhook", "ignore");
    var balloon =
        new PodTemplateSpecBuilder()
            .withNewMetadata()
            .withLabels(labels)
            .withAnnotations(replica.getMetadata().getAnnotations())
            .endMetadata()
            .withNewSpecLike(replica.getSpec())
            .withSchedulerName(Facts.BALLOONS)
            .withPriorityClassName(null)
            .withPriority(null)
            .withRestartPolicy("Never")
            .withAutomountServiceAccountToken(false)
            .withNewSecurityContext()
            .withRunAsNonRoot(true)
            .withNewSeccompProfile()
            .withType("RuntimeDefault")
            .endSeccompProfile()
            .endSecurityContext()
            .endSpec()
            .build();
    for (var containers :
        List.of(balloon.getSpec().getContainers(), balloon.getSpec().getInitContainers())) {
      containers.forEach(
          it ->
              it.setSecurityContext(
                  new SecurityContextBuilder()
                      .withAllowPrivilegeEscalation(false)
                      .withNewCapabilities()
                      .withDrop("ALL")
                      .endCapabilities()
                      .build()));
    }
    return balloon;
  }

  /** As a scheduler would say it: autoscalers look at no other pods. */
  @Override
  public void tend(GpuBooking booking) {
    var pods =
        client.pods().inNamespace(namespace).withLabel("job-name", name(booking)).list().getItems();
    var condition =
        Map.of(
            "type",
            "PodScheduled",
            "status",
            "False",
            "reason",
            "Unschedulable",
            "lastTransitionTime",
            now.truncatedTo(ChronoUnit.SECONDS).toString(),
            "message",
            "Stands for a replica that %s/%s expects; it is never bound."
                .formatted(booking.getMetadata().getNamespace(), booking.getMetadata().getName()));
    var status = Serialization.asJson(Map.of("status", Map.of("conditions", List.of(condition))));
    pods.stream().filter(pod -> !isMarked(pod)).forEach(pod -> mark(pod, status));
  }

  private void mark(Pod pod, String status) {
    try {
      client.resource(pod).subresource("status").patch(MERGE, status);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) { // it has gone meanwhile
        throw e;
      }
    }
  }

  private static boolean isMarked(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null
        || pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("PodScheduled"));
  }

  @Override
  public void delete(GpuBooking booking) {
    delete(name(booking));
  }

  private void delete(String job) {
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(namespace)
        .withName(job)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
  }
}
