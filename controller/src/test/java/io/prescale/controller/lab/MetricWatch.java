package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.lab.MetricSampler.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Asks for a PredictiveHPA's metric every second for as long as it is open, whatever happens to
 * those who answer, and reads the status beside it: what had been observed when.
 */
final class MetricWatch implements AutoCloseable {
  private static final Duration FRESH = Duration.ofSeconds(10);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final MetricSampler sampler;
  private final KubernetesClient client;
  private final String predictiveHpa;
  private final InstantSource clock;
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final ConcurrentSkipListMap<Instant, Double> observed = new ConcurrentSkipListMap<>();
  private final Thread asking;

  /** An answer, when it was asked for and when it came. */
  record Seen(Instant asked, Instant at, Answer answer) {
    /** While nothing was asked after a time. */
    static Seen none(Instant after) {
      return new Seen(after, after, new Answer.Refused(0, "not asked"));
    }

    /** How old the value is; a time without end for what is none. */
    Duration age() {
      return age(at);
    }

    private Duration age(Instant time) {
      return answer instanceof Answer.Value value
          ? Duration.between(value.timestamp(), time)
          : Duration.ofSeconds(Long.MAX_VALUE);
    }

    /** Whether it is a value of the last ten seconds. */
    boolean isFresh() {
      return answer instanceof Answer.Value && age().compareTo(FRESH) <= 0;
    }

    /** Whether it is a fresh value of after a time. */
    boolean isFreshAfter(Instant time) {
      return isFresh() && answer instanceof Answer.Value it && it.timestamp().isAfter(time);
    }

    boolean isRefusal() {
      return answer instanceof Answer.Refused refused && refused.code() > 0;
    }
  }

  private MetricWatch(
      MetricSampler sampler, KubernetesClient client, String predictiveHpa, InstantSource clock) {
    this.sampler = sampler;
    this.client = client;
    this.predictiveHpa = predictiveHpa;
    this.clock = clock;
    this.asking = Thread.ofVirtual().unstarted(this::ask);
  }

  /** The last answer after a time. */
  Seen newest(Instant after) {
    var seen = since(after);
    return seen.isEmpty() ? Seen.none(after) : seen.getLast();
  }

  static MetricWatch start(
      MetricSampler sampler, KubernetesClient client, String predictiveHpa, InstantSource clock) {
    var watch = new MetricWatch(sampler, client, predictiveHpa, clock);
    watch.asking.start();
    return watch;
  }

  /** All answers since a time. */
  List<Seen> since(Instant time) {
    return seen.stream().filter(it -> !it.at().isBefore(time)).toList();
  }

  /**
   * A fresh value of after a time comes within three times what docs/reliability.md states, and ten
   * seconds: the machine may be busy.
   */
  void requireFreshSoon(String fault, Instant since, Duration stated) {
    var bound = stated.multipliedBy(3).plusSeconds(10);
    patiently().until(() -> firstFresh(since), Optional::isPresent);
    var took = Duration.between(since, firstFresh(since).orElseThrow().at());
    System.out.printf("%s: a new value after %d ms%n", fault, took.toMillis());
    assertThat(took).as(fault).isLessThanOrEqualTo(bound);
  }

  private Optional<Seen> firstFresh(Instant since) {
    return since(since).stream().filter(it -> it.isFreshAfter(since)).findFirst();
  }

  /**
   * Each answer since a time was an error, or a value that is not below the demand and whose time
   * to live was not over when it was asked for.
   */
  void requireErrorsOrAtLeast(double demand, Duration timeToLive, Instant since) {
    var seen = since(since);
    assertThat(seen).isNotEmpty();
    for (var each : seen) {
      switch (each.answer()) {
        case Answer.Value value -> {
          assertThat(value.value()).as("%s", each).isGreaterThanOrEqualTo(demand);
          assertThat(each.age(each.asked())).as("%s", each).isLessThanOrEqualTo(timeToLive);
        }
        case Answer.Refused refused ->
            assertThat(refused.code()).as("%s", each).isGreaterThanOrEqualTo(400);
        case Answer.Unreachable _ -> {
          // Only while the API server is away, which its test knows.
        }
        case Answer.Nonsense nonsense -> throw new AssertionError(each + " is " + nonsense);
      }
    }
  }

  /** The newest observation that had gone into values of this time; empty before the first. */
  OptionalDouble observedBy(Instant time) {
    Map.Entry<Instant, Double> newest = observed.floorEntry(time);
    return newest == null ? OptionalDouble.empty() : OptionalDouble.of(newest.getValue());
  }

  @Override
  public void close() {
    asking.interrupt();
    try {
      asking.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask() {
    try {
      while (true) {
        var began = clock.instant();
        var answer = sampler.ask();
        seen.add(new Seen(began, clock.instant(), answer));
        readStatus();
        var left = PERIOD.minus(Duration.between(began, clock.instant()));
        Thread.sleep(left.isPositive() ? left : Duration.ZERO);
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private void readStatus() {
    try {
      LabObjects.predictiveHpa(client, predictiveHpa).stream()
          .flatMap(resource -> LabObjects.metrics(resource).stream())
          .filter(metric -> metric.servedAt() != null && metric.observed() != null)
          .forEach(metric -> observed.put(metric.servedAt(), LabObjects.number(metric.observed())));
    } catch (KubernetesClientException _) {
      // The API server is away; the status is the same when it is back.
    }
  }
}
