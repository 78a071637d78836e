package io.prescale.controller.plan.cluster;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;
import static java.util.stream.Collectors.groupingBy;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.scheduler.facts.PodLengths;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When running pods end: when they say themselves, at the deadline of their Job, or when the Jobs
 * of the same CronJob usually did.
 */
public final class DeclaredEnds {
  /** Finished Jobs of a CronJob from which a usual length follows. */
  private static final int FEWEST = 3;

  private DeclaredEnds() {}

  /** The ends that are known, by the UID of the pod. */
  public static Map<String, Instant> of(Stream<Pod> pods, List<Job> jobs, Instant now) {
    var endsOfJobs = new HashMap<String, Instant>();
    var usual = usualLengths(jobs);
    jobs.forEach(
        job ->
            end(job, usual, now).ifPresent(end -> endsOfJobs.put(job.getMetadata().getUid(), end)));
    var ends = new HashMap<String, Instant>();
    pods.forEach(
        pod -> {
          var own =
              PodLengths.of(pod).filter(it -> it.start().isPresent()).flatMap(it -> it.end(now));
          var ofJob = owner(pod.getMetadata().getOwnerReferences(), "Job").map(endsOfJobs::get);
          Stream.of(own, ofJob)
              .flatMap(Optional::stream)
              .min(Instant::compareTo)
              .ifPresent(end -> ends.put(pod.getMetadata().getUid(), end));
        });
    return ends;
  }

  private static Optional<Instant> end(Job job, Map<String, Duration> usual, Instant now) {
    var start = job.getStatus() == null ? null : job.getStatus().getStartTime();
    var deadline = job.getSpec() == null ? null : job.getSpec().getActiveDeadlineSeconds();
    var expected =
        owner(job.getMetadata().getOwnerReferences(), "CronJob")
            .map(usual::get)
            .flatMap(length -> after(start, length.toSeconds()))
            .filter(now::isBefore); // one that is overdue may take any time
    return Stream.of(after(start, deadline), expected)
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** The longest of the finished Jobs of each CronJob, so that few last longer. */
  private static Map<String, Duration> usualLengths(List<Job> jobs) {
    var lengths = new HashMap<String, Duration>();
    jobs.stream()
        .filter(job -> length(job).isPresent())
        .filter(job -> owner(job.getMetadata().getOwnerReferences(), "CronJob").isPresent())
        .collect(
            groupingBy(
                job -> owner(job.getMetadata().getOwnerReferences(), "CronJob").orElseThrow()))
        .forEach(
            (cronJob, done) -> {
              if (done.size() >= FEWEST) {
                done.stream()
                    .flatMap(job -> length(job).stream())
                    .max(Duration::compareTo)
                    .ifPresent(longest -> lengths.put(cronJob, longest));
              }
            });
    return lengths;
  }

  private static Optional<Duration> length(Job job) {
    var status = job.getStatus();
    return status == null
        ? Optional.empty()
        : WrittenTime.read(status.getStartTime())
            .flatMap(
                start ->
                    WrittenTime.read(status.getCompletionTime())
                        .map(end -> Duration.between(start, end)))
            .filter(Duration::isPositive);
  }

  private static Optional<String> owner(@Nullable List<OwnerReference> owners, String kind) {
    return orEmpty(owners).stream()
        .filter(it -> kind.equals(it.getKind()))
        .map(OwnerReference::getUid)
        .findFirst();
  }

  /** A year is as good as never, and beyond every time that can be written. */
  private static Optional<Instant> after(@Nullable String start, @Nullable Long seconds) {
    return seconds == null || seconds < 0 || seconds > Duration.ofDays(365).toSeconds()
        ? Optional.empty()
        : WrittenTime.read(start).map(it -> it.plusSeconds(seconds));
  }
}
