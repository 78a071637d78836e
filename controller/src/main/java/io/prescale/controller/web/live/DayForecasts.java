package io.prescale.controller.web.live;

import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.web.TomorrowView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes forecasts of the next day one after the other in a thread of their own, and keeps the last
 * ones for a while. Thread-safe.
 */
public final class DayForecasts implements TomorrowView, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DayForecasts.class);
  private static final Duration HISTORY = Duration.ofDays(14);
  private static final Duration KEPT_FOR = Duration.ofHours(1);
  private static final Duration FAILURE_KEPT_FOR = Duration.ofMinutes(1);

  /** Forecasts kept, of about 30 KB each, and as many failures. */
  private static final int MOST_KEPT = 100;

  /** Forecasts that wait for the thread; others are begun when they are asked for again. */
  private static final int MOST_WAITING = 8;

  /** A workload, and the metric that was asked for. */
  private record Asked(String workload, Optional<String> metric) {}

  private record Made(Instant at, Tomorrow what) {}

  private final ReplaySubjects subjects;
  private final MetricSource source;
  private final InstantSource clock;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("tomorrow").factory());
  private final SequencedMap<Asked, Made> made = new LinkedHashMap<>();
  private final SequencedMap<Asked, Made> failed = new LinkedHashMap<>();
  private final Set<Asked> waiting = new HashSet<>();

  public DayForecasts(ReplaySubjects subjects, MetricSource source, InstantSource clock) {
    this.subjects = subjects;
    this.source = source;
    this.clock = clock;
  }

  /** An old one is shown until the next one is made, also when that fails. */
  @Override
  public synchronized Tomorrow tomorrow(String workload, Optional<String> metric) {
    var asked = new Asked(workload, metric);
    var now = clock.instant();
    var known = made.get(asked);
    var failure = failed.get(asked);
    if (!isNewer(known, now.minus(KEPT_FOR)) && !isNewer(failure, now.minus(FAILURE_KEPT_FOR))) {
      if (waiting.size() < MOST_WAITING && waiting.add(asked)) {
        thread.execute(() -> make(asked, now));
      }
    }
    var shown = known == null ? failure : known;
    return shown == null ? new Tomorrow.Computing() : shown.what();
  }

  private static boolean isNewer(@Nullable Made made, Instant than) {
    return made != null && !made.at().isBefore(than);
  }

  private void make(Asked asked, Instant now) {
    Tomorrow what;
    try {
      what =
          switch (subjects.find(asked.workload())) {
            case ReplaySubjects.Found.Subject(var subject) -> of(subject, asked, now);
            case ReplaySubjects.Found.Nothing(var sentence) -> new Tomorrow.Failed(sentence);
          };
    } catch (InterruptedException _) {
      return; // the process ends
    } catch (RuntimeException e) {
      LOG.error("The forecast of the next day failed for {}", asked, e);
      what = new Tomorrow.Failed("The forecast failed; the log of this replica says why.");
    }
    keep(asked, new Made(now, what));
  }

  private Tomorrow of(ReplaySubject subject, Asked asked, Instant now) throws InterruptedException {
    var metric = subject.metric(asked.metric());
    if (metric.isEmpty()) {
      return new Tomorrow.Failed(
          "%s has no metric %s.".formatted(asked.workload(), asked.metric().orElse("")));
    }
    return switch (source.history(metric.get().query(), now.minus(HISTORY), now).join()) {
      case HistoryReading.Found(var series) -> DayForecast.of(subject, metric.get(), series, now);
      case HistoryReading.NotFound(var missing) -> new Tomorrow.Failed(missing.message());
    };
  }

  private synchronized void keep(Asked asked, Made fresh) {
    waiting.remove(asked);
    failed.remove(asked);
    var kept = fresh.what() instanceof Tomorrow.Failed ? failed : made;
    kept.putLast(asked, fresh);
    if (kept.size() > MOST_KEPT) {
      kept.pollFirstEntry();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
