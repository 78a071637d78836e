package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ServedKind;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which kinds of workloads the cluster has, asked once a minute. For one thread, and for others
 * that find a kind.
 */
final class InstalledKinds {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledKinds.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final KubernetesClient client;
  private final ReadAhead<Map<SuspendableKind, ResourceDefinitionContext>> ahead;

  /** Jobs are a part of Kubernetes. */
  private volatile Map<SuspendableKind, ResourceDefinitionContext> installed =
      Map.of(SuspendableKind.JOB, SuspendableKind.JOB.contexts().getFirst());

  private Instant next = Instant.MIN;

  /**
   * Nothing is known but Jobs.
   *
   * @param reader asks again
   */
  InstalledKinds(KubernetesClient client, Executor reader) {
    this.client = client;
    ahead = new ReadAhead<>(reader);
  }

  /**
   * The kinds, each in the version that is used; asks if it is time, and waits for the answers only
   * if it was never known. Only then it fails, too: a pod whose owner's kind is unknown could be
   * evicted in vain.
   */
  Map<SuspendableKind, ResourceDefinitionContext> at(Instant now) {
    if (next.equals(Instant.MIN)) {
      installed = ask();
      next = now.plus(INTERVAL);
    } else if (!now.isBefore(next) && !ahead.isUnderWay()) {
      var known = installed;
      ahead.begin(() -> askAgain(known));
      next = now.plus(INTERVAL);
    }
    ahead.take().ifPresent(it -> installed = it);
    return installed;
  }

  private Map<SuspendableKind, ResourceDefinitionContext> askAgain(
      Map<SuspendableKind, ResourceDefinitionContext> known) {
    try {
      return ask();
    } catch (KubernetesClientException e) {
      LOG.warn("It is unknown which kinds of workloads there are now: {}", ApiFailure.text(e));
      return known;
    }
  }

  /** As it was last known. */
  Optional<ResourceDefinitionContext> find(SuspendableKind kind) {
    return Optional.ofNullable(installed.get(kind));
  }

  private Map<SuspendableKind, ResourceDefinitionContext> ask() {
    var found = new EnumMap<SuspendableKind, ResourceDefinitionContext>(SuspendableKind.class);
    for (var kind : SuspendableKind.values()) {
      kind.contexts().stream()
          .filter(context -> kind == SuspendableKind.JOB || ServedKind.isServed(client, context))
          .findFirst()
          .ifPresent(context -> found.put(kind, context));
    }
    return found;
  }
}
