package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.LeadTime.Parts;
import io.prescale.controller.autoscaling.LeadTime.Source;
import io.prescale.controller.autoscaling.ScaleUp.PodStart;
import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures how long a decision takes to become serving replicas: the 90th percentile (nearest rank)
 * of the last {@value #REMEMBERED} scale-ups, each of which took as long as nine in ten of its
 * pods, plus the steps that the HPA's policies need to double the replicas, and the age of
 * observations. Of what an earlier process measured only the percentile is known: it stands for as
 * many scale-ups as that had, and for two fewer with each that follows.
 *
 * <p>Times come from several clocks. A stage that ends a little before it begins took no time; a
 * scale-up with one that ends long before is discarded. Not thread-safe.
 */
public final class LeadTimeEstimator {
  static final int REMEMBERED = 20;

  /** Pods that take longer wait for what no forecast can hasten: a quota, a corrected image. */
  static final Duration LONGEST_START = Duration.ofHours(2);

  /** By how much clocks in one cluster may differ. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  /** Pods created later than this have another cause. */
  private static final Duration LONGEST_DECISION = Duration.ofMinutes(30);

  private static final double SHARE = 0.9;

  private final Duration fallback;
  private final Optional<LeadTime> earlier;
  private final ArrayDeque<Measured> newestLast = new ArrayDeque<>();

  /** Why a scale-up was not counted, or that it was. A closed list. */
  public enum Outcome {
    COUNTED,
    /** It has no pods. */
    NO_PODS,
    /** Too few of its pods became ready to know how long it takes. */
    NEVER_READY,
    /** Its times contradict each other by more than clocks differ. */
    CONTRADICTORY,
    /** Its pods were created long after the decision. */
    UNRELATED
  }

  private record Measured(Parts parts, Instant at) {
    static final Comparator<Measured> BY_TOTAL = Comparator.comparing(it -> it.parts().sum());
  }

  /**
   * An estimator that has seen nothing yet.
   *
   * @param fallback from the decision until pods are ready, before the first measurement
   * @param earlier what an earlier process measured, if anything
   */
  public LeadTimeEstimator(Duration fallback, Optional<LeadTime> earlier) {
    if (fallback.isNegative() || fallback.compareTo(LONGEST_START) > 0) {
      throw new IllegalArgumentException(
          "default lead time must be from 0 to %s: %s"
              .formatted(DurationInWords.of(LONGEST_START), DurationInWords.of(fallback)));
    }
    this.fallback = fallback;
    this.earlier = earlier.filter(lead -> lead.source() == Source.MEASURED);
  }

  /** Takes in a scale-up that is over or abandoned. */
  public Outcome observe(ScaleUp scaleUp) {
    if (scaleUp.pods().isEmpty()) {
      return Outcome.NO_PODS;
    }
    Instant created =
        scaleUp.pods().stream().map(PodStart::created).min(Comparator.naturalOrder()).orElseThrow();
    Duration decision = Duration.between(scaleUp.decided(), created);
    if (decision.compareTo(LONGEST_DECISION) > 0) {
      return Outcome.UNRELATED;
    }
    if (isContradictory(decision)
        || scaleUp.pods().stream().anyMatch(LeadTimeEstimator::isContradictory)) {
      return Outcome.CONTRADICTORY;
    }
    var slowestLast =
        scaleUp.pods().stream()
            .filter(LeadTimeEstimator::becameReady)
            .map(pod -> measured(notNegative(decision), pod))
            .sorted(Measured.BY_TOTAL)
            .toList();
    int rank = rank(scaleUp.pods().size());
    if (slowestLast.size() < rank) {
      return Outcome.NEVER_READY;
    }
    newestLast.addLast(slowestLast.get(rank - 1));
    if (newestLast.size() > REMEMBERED) {
      newestLast.removeFirst();
    }
    return Outcome.COUNTED;
  }

  /** Nearest rank of the 90th percentile among so many, from 1. */
  private static int rank(int count) {
    return (int) Math.ceil(SHARE * count);
  }

  private static boolean isContradictory(Duration duration) {
    return duration.compareTo(CLOCK_SKEW.negated()) < 0;
  }

  private static boolean isContradictory(PodStart pod) {
    return List.of(pod.scheduled(), pod.pulled(), pod.ready()).stream()
        .flatMap(Optional::stream)
        .anyMatch(time -> isContradictory(Duration.between(pod.created(), time)));
  }

  private static boolean becameReady(PodStart pod) {
    return pod.ready()
        .filter(ready -> Duration.between(pod.created(), ready).compareTo(LONGEST_START) <= 0)
        .isPresent();
  }

  /** Stages in their order: a time that is missing or out of order leaves its stage no time. */
  private static Measured measured(Duration decision, PodStart pod) {
    Instant created = pod.created();
    Instant ready = later(created, pod.ready().orElseThrow());
    Instant scheduled = earlier(ready, later(created, pod.scheduled().orElse(created)));
    Instant pulled = earlier(ready, later(scheduled, pod.pulled().orElse(scheduled)));
    var parts =
        new Parts(
            decision,
            Duration.between(created, scheduled),
            Duration.between(scheduled, pulled),
            Duration.between(pulled, ready),
            Duration.ZERO,
            Duration.ZERO);
    return new Measured(parts, ready);
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Duration notNegative(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  /**
   * The lead time now.
   *
   * @param rules of the HPA, for its ramp
   * @param currentReplicas from which it would double
   * @param scrapeLag age of the newest observation when it is decided by
   */
  public LeadTime estimate(HpaRules rules, int currentReplicas, Duration scrapeLag) {
    Duration ramp = ramp(rules, currentReplicas);
    Duration lag = notNegative(scrapeLag);
    var bySize =
        Stream.concat(measuredEarlier(), newestLast.stream()).sorted(Measured.BY_TOTAL).toList();
    if (!bySize.isEmpty()) {
      var typical = bySize.get(rank(bySize.size()) - 1);
      return bounded(
          Source.MEASURED,
          bySize.size(),
          Optional.ofNullable(newestLast.peekLast())
              .map(Measured::at)
              .or(() -> earlier.flatMap(LeadTime::observedAt)),
          typical.parts().with(ramp, lag));
    }
    var parts = new Parts(rules.syncPeriod(), Duration.ZERO, Duration.ZERO, fallback, ramp, lag);
    return bounded(Source.DEFAULT, 0, Optional.empty(), parts);
  }

  /** Where scaling up is disabled, no forecast shortens the time for which it is. */
  private static Duration ramp(HpaRules rules, int currentReplicas) {
    return rules.scaleUp().selection() == ScalingRules.Selection.DISABLED
        ? Duration.ZERO
        : rules.scaleUp().timeToReach(currentReplicas, doubled(rules, currentReplicas));
  }

  private Stream<Measured> measuredEarlier() {
    int gone = 2 * newestLast.size();
    return earlier.stream()
        .flatMap(
            it -> {
              int left = Math.clamp(it.samples(), 1, REMEMBERED) - gone;
              var each =
                  new Measured(
                      it.parts().with(Duration.ZERO, Duration.ZERO),
                      it.observedAt().orElse(Instant.EPOCH));
              return Collections.nCopies(Math.max(0, left), each).stream();
            });
  }

  private static int doubled(HpaRules rules, int currentReplicas) {
    return (int) Math.min(rules.maxReplicas(), 2L * Math.max(1, currentReplicas));
  }

  private static LeadTime bounded(
      Source source, int samples, Optional<Instant> observedAt, Parts parts) {
    Duration longest = ForecastSettings.LONGEST_LEAD;
    Duration total = parts.sum().compareTo(longest) > 0 ? longest : parts.sum();
    return new LeadTime(total, source, samples, observedAt, parts);
  }
}
