package io.prescale.controller.lab;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads a path through the API server, one time after the other, until it is closed. */
final class RepeatedRead implements AutoCloseable {
  private static final int PAUSE_MILLIS = 50;

  private final Thread thread;
  private final AtomicInteger answered = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  RepeatedRead(KubernetesClient client, String path, String expected) {
    thread =
        Thread.startVirtualThread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                read(client, path, expected);
              }
            });
  }

  private void read(KubernetesClient client, String path, String expected) {
    try {
      var answer = String.valueOf(client.raw(path));
      answered.incrementAndGet();
      if (!answer.contains(expected)) {
        failures.add(answer);
      }
      Thread.sleep(PAUSE_MILLIS);
    } catch (KubernetesClientException e) {
      failures.add(String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  int answered() {
    return answered.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
