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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which kinds of workloads the cluster has, asked once a minute. Not thread-safe. */
final class InstalledKinds {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledKinds.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final KubernetesClient client;

  /** Jobs are a part of Kubernetes. */
  private Map<SuspendableKind, ResourceDefinitionContext> installed =
      Map.of(SuspendableKind.JOB, SuspendableKind.JOB.contexts().getFirst());

  private Instant next = Instant.MIN;

  InstalledKinds(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The kinds, each in the version that is used; asks if it is time. Fails only if it was never
   * known: a pod whose owner's kind is unknown could be evicted in vain.
   */
  Map<SuspendableKind, ResourceDefinitionContext> at(Instant now) {
    if (!now.isBefore(next)) {
      try {
        installed = ask();
      } catch (KubernetesClientException e) {
        if (next.equals(Instant.MIN)) {
          throw e;
        }
        LOG.warn("It is unknown which kinds of workloads there are now: {}", ApiFailure.text(e));
      }
      next = now.plus(INTERVAL);
    }
    return installed;
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
