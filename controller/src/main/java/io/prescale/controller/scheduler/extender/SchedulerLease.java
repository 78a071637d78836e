package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.LeaseHolder;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the kube-scheduler beside this extender leads, by the Lease of the kube-schedulers. Only
 * the leader asks its extender, so only that one knows which pods wait; another one would give back
 * what this one takes. A kube-scheduler's identity is its host, an underscore and a random part
 * ({@code cmd/kube-scheduler/app/options}); a Lease of 15 s outlasts what is trusted here, and one
 * that is released ends for this extender at its next look.
 */
final class SchedulerLease {
  static final Duration LOOK = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLease.class);
  private static final Duration TRUSTED = Duration.ofSeconds(6);

  private final KubernetesClient client;
  private final ExtenderSettings.Lease.OfScheduler lease;
  private final LongSupplier nanoTime;
  private volatile Look last;

  /**
   * @param at when it was asked, in nanoseconds
   */
  private record Look(boolean leads, long at) {}

  /** One that has not looked: it does not lead. */
  SchedulerLease(
      KubernetesClient client, ExtenderSettings.Lease.OfScheduler lease, LongSupplier nanoTime) {
    this.client = client;
    this.lease = lease;
    this.nanoTime = nanoTime;
    this.last = new Look(false, nanoTime.getAsLong());
  }

  /**
   * Reads the Lease; for one thread. While the API server does not answer, the last look ages.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it does not
   */
  void look() {
    long at = nanoTime.getAsLong();
    boolean leads = holder().filter(it -> it.startsWith(lease.host() + "_")).isPresent();
    if (leads != last.leads()) {
      LOG.info("The kube-scheduler beside this extender {}.", leads ? "leads" : "does not lead");
    }
    last = new Look(leads, at);
  }

  private Optional<String> holder() {
    var found =
        client.resources(Lease.class).inNamespace(lease.namespace()).withName(lease.name()).get();
    return LeaseHolder.of(found);
  }

  boolean leads() {
    var look = last;
    return look.leads() && nanoTime.getAsLong() - look.at() < TRUSTED.toNanos();
  }
}
