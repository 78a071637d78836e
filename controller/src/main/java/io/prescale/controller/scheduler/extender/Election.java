package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.Leadership;
import io.prescale.controller.scheduler.extender.ExtenderSettings.Lease;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Which of several replicas of the extender answers, and which acts unasked. */
final class Election implements AutoCloseable {
  private final Optional<Leadership> own;
  private final Optional<SchedulerLease> schedulers;

  /**
   * One that has not started.
   *
   * @param lease empty where there is one replica
   * @param mayAnswer whether nothing but the Lease keeps this replica from answering
   */
  Election(
      KubernetesClient client,
      Optional<Lease> lease,
      LongSupplier nanoTime,
      BooleanSupplier mayAnswer) {
    var term = new AnsweringTerm(mayAnswer);
    own =
        lease.orElse(null) instanceof Lease.Own(var namespace, var name, var identity)
            ? Optional.of(new Leadership(client, namespace, name, identity, nanoTime, term))
            : Optional.empty();
    schedulers =
        lease.orElse(null) instanceof Lease.OfScheduler it
            ? Optional.of(new SchedulerLease(client, it, nanoTime))
            : Optional.empty();
  }

  void start(Rounds rounds) {
    own.ifPresent(Leadership::start);
    schedulers.ifPresent(
        it -> rounds.every("reads kube-scheduler's Lease", SchedulerLease.LOOK, it::look));
  }

  /** Gives the replicas' own Lease up, if it has that. */
  void resign() {
    own.ifPresent(Leadership::resign);
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
