package io.prescale.controller.sharding;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Replicas whose cycles run when a test says so, in time that the test makes. */
final class ShardCycles {
  static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  private final KubernetesClient client;
  long time;

  /** Happens at each look at a clock. */
  Runnable meanwhile = () -> {};

  /** How many beats there were, so that each has a time of its own. */
  private long beats;

  final List<Set<Integer>> moves = new ArrayList<>();

  ShardCycles(KubernetesClient client) {
    this.client = client;
  }

  ShardCycle cycle(String identity) {
    return new ShardCycle(
        new ShardLeases(client, "prescale", "prescale"),
        identity,
        () -> {
          meanwhile.run();
          beats++;
          return NOON.plusNanos(beats);
        },
        () -> {
          meanwhile.run();
          return time;
        },
        ShardTimes.USUAL,
        moves::add);
  }

  void run(ShardCycle cycle, int times) {
    runAll(times, cycle);
  }

  void runAll(int times, ShardCycle... cycles) {
    for (int i = 0; i < times; i++) {
      time += 2 * SECOND;
      for (var cycle : cycles) {
        cycle.run();
      }
    }
  }

  /** The Leases of the shards. */
  static Stream<Lease> leases(KubernetesClient client) {
    return client
        .leases()
        .inNamespace("prescale")
        .withLabels(ShardLeases.LABELS)
        .list()
        .getItems()
        .stream();
  }

  void lead(String holder) {
    var lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName("prescale")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(holder)
            .endSpec()
            .build();
    var leases = client.leases().inNamespace("prescale");
    leases.withName("prescale").delete();
    leases.resource(lease).create();
  }
}
