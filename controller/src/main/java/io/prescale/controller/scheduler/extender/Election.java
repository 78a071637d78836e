package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.Leadership;
import io.prescale.controller.scheduler.extender.ExtenderSettings.Lease;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Which of several replicas of the extender answers, and which acts unasked. */
final class Election implements AutoCloseable {
  private final Optional<Leadership> own;
  private final Optional<SchedulerLease> schedulers;

  /**
   * One that has not started.
   *
   * @param lease empty where there is one replica
   */
  Election(KubernetesClient client, Optional<Lease> lease, LongSupplier nanoTime) {
    own =
        lease
            .filter(Lease.Own.class::isInstance)
            .map(Lease.Own.class::cast)
            .map(
                it ->
                    new Leadership(
                        client,
                        it.namespace(),
                        it.name(),
                        it.identity(),
                        nanoTime,
                        new AnsweringTerm()));
    schedulers =
        lease
            .filter(Lease.OfScheduler.class::isInstance)
            .map(Lease.OfScheduler.class::cast)
            .map(it -> new SchedulerLease(client, it, nanoTime));
  }

  void start(Rounds rounds) {
    own.ifPresent(Leadership::start);
    schedulers.ifPresent(it -> rounds.every(SchedulerLease.LOOK_MILLIS, it::look));
  }

  /** Whether this replica answers kube-scheduler. */
  boolean answers() {
    return own.map(Leadership::leads).orElse(true);
  }

  /** Whether this replica does what kube-scheduler does not ask for, too. */
  boolean acts() {
    return answers() && schedulers.map(SchedulerLease::leads).orElse(true);
  }

  @Override
  public void close() {
    own.ifPresent(Leadership::close);
  }
}
