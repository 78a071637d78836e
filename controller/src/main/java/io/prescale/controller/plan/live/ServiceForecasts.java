package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.operator.LiveTargets;
import io.prescale.controller.operator.NotReady;
import io.prescale.controller.plan.DayAhead;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forecasts of the next day, each made anew every hour. Not thread-safe. */
final class ServiceForecasts implements Forecasts {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceForecasts.class);
  private static final Duration HISTORY = Duration.ofDays(14);
  private static final Duration RENEWED_AFTER = Duration.ofMinutes(55);

  /** So that services that were all met at once are not renewed in the same minutes for ever. */
  private static final int SPREAD_SECONDS = 600;

  /** After a failure, and twice as long after each that follows. */
  private static final Duration TRIED_AGAIN_AFTER = Duration.ofMinutes(1);

  /** With the errors of the seven days before. */
  private static final int FITS = 8;

  private final RecordedDemands targets;
  private final MetricSource source;
  private final Duration patience;
  private final Map<String, ServiceForecast> made = new HashMap<>();

  /** When each was made last; before the first, when the first try was. */
  private final Map<String, Instant> since = new HashMap<>();

  private final Map<String, Attempt> attempts = new HashMap<>();

  /** Where the demand of a target is recorded. */
  @FunctionalInterface
  interface RecordedDemands {
    LiveTargets.Recorded of(PredictiveHPA resource) throws NotReady;
  }

  /** A try, of a version of the spec, why it failed, and how long it is until the next. */
  private record Attempt(
      Instant at, Long generation, Optional<String> problem, Duration untilNext) {}

  /**
   * What there is of a forecast.
   *
   * @param problem why no newer one could be made
   * @param isOver whether what was said on the word of the last one counts no more
   */
  record Known(Optional<ServiceForecast> forecast, Optional<String> problem, boolean isOver) {}

  /**
   * None yet.
   *
   * @param patience for the history of one metric: while it is read, all other services wait
   */
  ServiceForecasts(RecordedDemands targets, MetricSource source, Duration patience) {
    this.targets = targets;
    this.source = source;
    this.patience = patience;
  }

  @Override
  public void retain(Set<String> uids) {
    made.keySet().retainAll(new HashSet<>(uids));
    since.keySet().retainAll(new HashSet<>(uids));
    attempts.keySet().retainAll(new HashSet<>(uids));
  }

  @Override
  public Known known(PredictiveHPA resource, Instant now) {
    var uid = resource.getMetadata().getUid();
    var begin = since.get(uid);
    boolean isOver = begin != null && !DayAhead.isValid(begin, now);
    var attempt = Optional.ofNullable(attempts.get(uid));
    return new Known(
        Optional.ofNullable(made.get(uid)).filter(_ -> !isOver),
        attempt.isEmpty() ? Optional.of("No forecast yet.") : attempt.flatMap(Attempt::problem),
        isOver);
  }

  @Override
  public List<PredictiveHPA> due(List<PredictiveHPA> services, Instant now) {
    return services.stream()
        .filter(it -> isDue(it, now))
        .sorted(Comparator.comparing(it -> attempt(it).map(Attempt::at).orElse(Instant.MIN)))
        .toList();
  }

  private Optional<Attempt> attempt(PredictiveHPA resource) {
    return Optional.ofNullable(attempts.get(resource.getMetadata().getUid()));
  }

  private boolean isDue(PredictiveHPA resource, Instant now) {
    var current =
        attempt(resource)
            .filter(it -> it.generation().equals(resource.getMetadata().getGeneration()));
    return current.filter(it -> it.at().plus(it.untilNext()).isAfter(now)).isEmpty();
  }

  @Override
  public void renew(PredictiveHPA resource, Duration lead, Instant now)
      throws InterruptedException {
    var uid = resource.getMetadata().getUid();
    var generation = resource.getMetadata().getGeneration();
    if (attempts.containsKey(uid) && !attempts.get(uid).generation().equals(generation)) {
      made.remove(uid);
      since.remove(uid);
    }
    since.putIfAbsent(uid, now);
    Optional<String> problem;
    try {
      problem = forecast(resource, lead, now);
    } catch (NotReady | IllegalArgumentException | DateTimeException e) {
      problem = Optional.of(String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      problem = Optional.of("The API server: " + ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("The forecast of the next day failed for {}", resource.getMetadata().getName(), e);
      problem = Optional.of("The forecast failed; the log of the leader says why.");
    }
    var untilNext = problem.isEmpty() ? untilRenewed(uid) : untilTriedAgain(uid);
    attempts.put(uid, new Attempt(now, generation, problem, untilNext));
  }

  private static Duration untilRenewed(String uid) {
    return RENEWED_AFTER.minusSeconds(Math.floorMod(uid.hashCode(), SPREAD_SECONDS));
  }

  private Duration untilTriedAgain(String uid) {
    var pause =
        Optional.ofNullable(attempts.get(uid))
            .filter(it -> it.problem().isPresent())
            .map(it -> it.untilNext().multipliedBy(2))
            .orElse(TRIED_AGAIN_AFTER);
    return pause.compareTo(RENEWED_AFTER) < 0 ? pause : RENEWED_AFTER;
  }

  private Optional<String> forecast(PredictiveHPA resource, Duration lead, Instant now)
      throws NotReady, InterruptedException {
    var recorded = targets.of(resource);
    var metrics = new ArrayList<DayAhead>();
    for (var query : recorded.demands()) {
      switch (outlook(query, recorded, now)) {
        case DayAhead.Outlook.Known(var ahead) -> metrics.add(ahead);
        case DayAhead.Outlook.Unknown(var sentence) -> {
          return Optional.of(sentence);
        }
      }
    }
    var uid = resource.getMetadata().getUid();
    made.put(uid, ServiceForecast.of(List.copyOf(metrics), recorded.settings(), lead));
    since.put(uid, now);
    return Optional.empty();
  }

  private DayAhead.Outlook outlook(MetricQuery query, LiveTargets.Recorded recorded, Instant now)
      throws InterruptedException {
    var history =
        source
            .history(query, now.minus(HISTORY), now)
            .copy()
            .completeOnTimeout(late(), patience.toMillis(), TimeUnit.MILLISECONDS);
    return switch (history.join()) {
      case HistoryReading.Found(var series) ->
          DayAhead.of(series, ServiceForecast.STEP, recorded.settings().forecast(), FITS, now);
      case HistoryReading.NotFound(var missing) -> new DayAhead.Outlook.Unknown(missing.message());
    };
  }

  private HistoryReading late() {
    return new HistoryReading.NotFound(
        new Reading.Missing(
            Reading.Reason.TIMEOUT,
            "The history was not read within %d s.".formatted(patience.toSeconds())));
  }
}
