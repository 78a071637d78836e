package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads an external metric ten times a second, until it is closed, and remembers what failed. */
final class MetricReads implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger count = new AtomicInteger();
  private final KubernetesClient client;
  private final String path;
  private final Thread reading;

  /**
   * @param client which fails at the first failure
   */
  private MetricReads(KubernetesClient client, String path) {
    this.client = client;
    this.path = path;
    this.reading = Thread.ofVirtual().unstarted(this::readAll);
  }

  static MetricReads start(KubernetesClient client, String path) {
    var reads = new MetricReads(client, path);
    reads.reading.start();
    return reads;
  }

  private void readAll() {
    try {
      while (!Thread.interrupted()) {
        read();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try {
      var answer = client.raw(path);
      if (answer == null || !answer.contains("\"value\"")) {
        failures.add(String.valueOf(answer));
      }
    } catch (KubernetesClientException e) {
      failures.add(e.getMessage() + (e.getCause() == null ? "" : ", for " + e.getCause()));
    }
    count.incrementAndGet();
  }

  /** What failed since the last call of {@link #forget}. */
  List<String> failures() {
    return failures;
  }

  void forget() {
    failures.clear();
  }

  void awaitMore(int reads) {
    int before = count();
    patiently().until(this::count, it -> it >= before + reads);
  }

  int count() {
    return count.get();
  }

  @Override
  public void close() {
    reading.interrupt();
    try {
      reading.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
