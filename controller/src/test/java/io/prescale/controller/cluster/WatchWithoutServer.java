package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.concurrent.CountDownLatch;

/** A program that watches pods where no API server is, and ends after three attempts. */
final class WatchWithoutServer {
  private WatchWithoutServer() {}

  /** Without arguments. */
  public static void main(String... none) throws InterruptedException {
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .withRequestRetryBackoffLimit(0)
            .build();
    var attempts = new CountDownLatch(3);
    try (var client = new KubernetesClientBuilder().withConfig(config).build();
        var informer = client.resources(Pod.class).inAnyNamespace().runnableInformer(0)) {
      var retried = BrokenWatch.retried(informer, "pods");
      informer.exceptionHandler(
          (started, failure) -> {
            attempts.countDown();
            return retried.retryAfterException(started, failure);
          });
      var _ = informer.start();
      attempts.await();
    }
    System.out.println("3 attempts");
  }
}
