package io.prescale.controller.sharding;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.LeaseHolder;
import io.prescale.controller.cluster.MergePatch;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What replicas exchange through the API server: a heartbeat of each in one ConfigMap, and for each
 * shard a Lease with its holder. A Lease is written only when its holder changes, and about the
 * version that was seen, so that of two replicas one gets it.
 *
 * @param client for requests that nothing else delays
 * @param namespace of the ConfigMap and the Leases
 * @param leader name of the Lease of the one replica that leads
 */
record ShardLeases(KubernetesClient client, String namespace, String leader) {
  /** The ConfigMap with the heartbeats, by the replicas' identities. */
  static final String HEARTBEATS = "prescale-replicas";

  /** By which the Leases are found. */
  static final Map<String, String> LABELS = Map.of("autoscaling.prescale.io/lease", "shard");

  static String name(int shard) {
    return "prescale-shard-%02d".formatted(shard);
  }

  /** Writes this replica's heartbeat, and gives those of all. */
  Map<String, String> beat(String identity, Instant now) {
    var own = Map.of(identity, now.toString());
    try {
      return texts(patch(own));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
      var first = heartbeats();
      first.setData(own);
      client.resource(first).create();
      return own;
    }
  }

  /** A mock of an API server leaves null for what was removed. */
  private static Map<String, String> texts(ConfigMap heartbeats) {
    var texts = new TreeMap<String, String>();
    Objects.requireNonNullElse(heartbeats.getData(), Map.<String, @Nullable String>of())
        .forEach(
            (identity, text) -> {
              if (text != null) {
                texts.put(identity, text);
              }
            });
    return texts;
  }

  /** Forgets the heartbeats of replicas that are gone. */
  void remove(Collection<String> identities) {
    var gone = new HashMap<String, @Nullable String>();
    identities.forEach(identity -> gone.put(identity, null));
    patch(gone);
  }

  private ConfigMap patch(Map<String, ? extends @Nullable String> entries) {
    var data = JsonNodeFactory.instance.objectNode();
    entries.forEach(data::put);
    var patch = JsonNodeFactory.instance.objectNode().set("data", data);
    return MergePatch.send(client, heartbeats(), patch.toString());
  }

  private ConfigMap heartbeats() {
    return MergePatch.named(new ConfigMap(), namespace, HEARTBEATS);
  }

  /** The Leases that there are, by the shard's number. */
  Map<Integer, Lease> read() {
    var byName = new HashMap<String, Lease>();
    client
        .leases()
        .inNamespace(namespace)
        .withLabels(LABELS)
        .list()
        .getItems()
        .forEach(lease -> byName.put(lease.getMetadata().getName(), lease));
    var all = new TreeMap<Integer, Lease>();
    for (int shard = 0; shard < Shards.COUNT; shard++) {
      var lease = byName.get(name(shard));
      if (lease != null) {
        all.put(shard, lease);
      }
    }
    return all;
  }

  /** Who holds the Lease of the one replica that leads. */
  Optional<String> leads() {
    return LeaseHolder.of(client.leases().inNamespace(namespace).withName(leader).get());
  }

  /**
   * Takes a shard.
   *
   * @param seen its Lease; null if there was none
   * @return false when another replica was faster
   */
  boolean claim(int shard, @Nullable Lease seen, String identity, Instant now) {
    var builder = seen == null ? new LeaseBuilder() : new LeaseBuilder(seen);
    var next =
        builder
            .editOrNewMetadata()
            .withNamespace(namespace)
            .withName(name(shard))
            .addToLabels(LABELS)
            .endMetadata()
            .editOrNewSpec()
            .withHolderIdentity(identity)
            .withAcquireTime(now.atZone(ZoneOffset.UTC))
            .withLeaseTransitions(transitions(seen) + 1)
            .endSpec()
            .build();
    return write(next, seen == null);
  }

  private static int transitions(@Nullable Lease lease) {
    return Optional.ofNullable(lease)
        .map(Lease::getSpec)
        .flatMap(spec -> Optional.ofNullable(spec.getLeaseTransitions()))
        .orElse(0);
  }

  /**
   * Leaves a shard to others.
   *
   * @return false when the Lease has changed meanwhile
   */
  boolean release(Lease held) {
    return write(
        new LeaseBuilder(held).editSpec().withHolderIdentity(null).endSpec().build(), false);
  }

  private boolean write(Lease lease, boolean isNew) {
    var resource = client.leases().inNamespace(namespace).resource(lease);
    try {
      if (isNew) {
        resource.create();
      } else {
        resource.update();
      }
      return true;
    } catch (KubernetesClientException e) {
      if (ApiFailure.isConflict(e)) {
        return false;
      }
      throw e;
    }
  }
}
