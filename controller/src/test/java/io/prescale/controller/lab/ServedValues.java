package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Asks every second for a metric of all PredictiveHPAs in the namespace default. */
record ServedValues(
    KubernetesClient client,
    String metric,
    int objects,
    double least,
    ScheduledExecutorService asking,
    AtomicInteger answers,
    AtomicReference<Duration> oldest,
    List<String> wrong)
    implements AutoCloseable {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Nothing was asked yet.
   *
   * @param objects how many PredictiveHPAs serve it
   * @param least what each of them serves at least
   */
  static ServedValues of(KubernetesClient client, String metric, int objects, double least) {
    return new ServedValues(
        client,
        metric,
        objects,
        least,
        Executors.newSingleThreadScheduledExecutor(),
        new AtomicInteger(),
        new AtomicReference<>(Duration.ZERO),
        new CopyOnWriteArrayList<>());
  }

  void start() {
    var _ = asking.scheduleWithFixedDelay(this::read, 0, 1, TimeUnit.SECONDS);
  }

  private void read() {
    try {
      var ages = ages();
      if (ages.size() != objects) {
        wrong.add("%d values".formatted(ages.size()));
      }
      ages.values()
          .forEach(age -> oldest.accumulateAndGet(age, (a, b) -> a.compareTo(b) < 0 ? b : a));
      answers.incrementAndGet();
    } catch (KubernetesClientException | IOException | AssertionError e) {
      wrong.add(e.toString());
    }
  }

  /** How old the value of each PredictiveHPA is at this moment. */
  Map<String, Duration> ages() throws IOException {
    var path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/" + metric;
    var now = CLOCK.instant();
    var ages = new HashMap<String, Duration>();
    for (var item : JSON.readTree(client.raw(path)).path("items")) {
      double value = LabObjects.number(item.path("value").asText());
      assertThat(value).as("at least what is observed").isGreaterThanOrEqualTo(least);
      ages.put(
          item.at("/metricLabels/predictivehpa").asText(),
          Duration.between(Instant.parse(item.path("timestamp").asText()), now));
    }
    return ages;
  }

  /** Requires that all values were served all the time, and none older than that. */
  void requireNoneOlderThan(Duration most) {
    System.out.printf(
        "%d answers with %d values each, the oldest of %d ms%n",
        answers.get(), objects, oldest.get().toMillis());
    assertThat(wrong).as("the metric was served all the time").isEmpty();
    assertThat(answers.get()).isGreaterThan(20);
    assertThat(oldest.get()).isLessThan(most);
  }

  @Override
  public void close() {
    asking.shutdownNow();
  }
}
