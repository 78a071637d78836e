package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** A program whose watch of pods is open, is refused for more than a minute, and opens again. */
final class RefusedWatch {
  private static final long LOOK_MILLIS = 100;

  /** BrokenWatch looks once a second whether it is on again. */
  private static final long NOTICED_MILLIS = 3_000;

  private RefusedWatch() {}

  /** Without arguments. */
  public static void main(String... none) throws Exception {
    var now = new AtomicReference<>(Instant.EPOCH);
    try (var api = new WatchedApi();
        var client = new KubernetesClientBuilder().withConfig(api.config()).build();
        var watches = new CurrentWatches(now::get)) {
      var _ = watches.informer("pods", client.pods().inAnyNamespace(), 200).start();
      while (api.watches("pods") == 0 || watches.fault().isPresent()) {
        Thread.sleep(LOOK_MILLIS);
      }
      api.refuse("pods", 403);
      while (watches.fault().isEmpty()) {
        Thread.sleep(LOOK_MILLIS);
        now.updateAndGet(it -> it.plusSeconds(5));
      }
      api.allowAll();
      while (watches.fault().isPresent()) {
        Thread.sleep(LOOK_MILLIS);
      }
      Thread.sleep(NOTICED_MILLIS);
    }
    System.out.println("the end");
  }
}
