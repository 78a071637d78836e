package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.sharding.Shards;
import io.prescale.controller.values.ValuePublisher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas share thirty PredictiveHPAs; one serves what all of them publish. */
class ShardsLabIT {
  private static final int OBJECTS = 30;
  private static final double DEMAND = 12;
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final Duration TAKEOVER = Duration.ofSeconds(30);
  private static final InstantSource CLOCK = InstantSource.system();

  @Test
  void replicasShareTheWorkAndTakeOverFromEachOther(@TempDir Path folder) throws Exception {
    try (var gauges = Gauges.start();
        var lab = GaugedLab.lab(folder, gauges, "1s");
        var client = LabObjects.client(lab);
        var served = ServedValues.of(client, "demand", OBJECTS, DEMAND)) {
      gauges.set("demand", DEMAND);
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(objects());
      try (var first = SharingReplica.start(prescale, "shards-first", true);
          var second = SharingReplica.start(prescale, "shards-second", false)) {
        patiently()
            .until(() -> held(client), Map.of(first.identity(), 16, second.identity(), 16)::equals);
        patiently().until(() -> served.ages().size() == OBJECTS);
        served.start();
        eachIsTickedByTheHolderOfItsShard(client, List.of(first, second));
        try (var third = SharingReplica.start(prescale, "shards-third", false)) {
          aThirdTakesAThird(client, third);
          eachIsTickedByTheHolderOfItsShard(client, List.of(first, second, third));
          theShardsOfOneThatIsKilledAreTaken(client, served, second);
          eachIsTickedByTheHolderOfItsShard(client, List.of(first, third));
        }
        theShardsOfOneThatStopsAreTaken(client, first);
        served.requireNoneOlderThan(TAKEOVER.plus(STEP.multipliedBy(3)));
      }
    }
  }

  private static void aThirdTakesAThird(KubernetesClient client, SharingReplica third) {
    var before = holders(client);
    patiently()
        .until(() -> held(client).values().stream().sorted().toList(), List.of(10, 11, 11)::equals);
    var after = holders(client);
    after.forEach(
        (shard, holder) -> {
          if (!holder.equals(third.identity())) {
            assertThat(holder).as("shard %d stayed", shard).isEqualTo(before.get(shard));
          }
        });
  }

  private static void theShardsOfOneThatIsKilledAreTaken(
      KubernetesClient client, ServedValues served, SharingReplica killed) throws Exception {
    var before = holders(client);
    var moving = names(client, before, killed.identity());
    killed.replica().kill();
    var died = CLOCK.instant();
    patiently()
        .until(() -> held(client).values().stream().sorted().toList(), List.of(16, 16)::equals);
    var taken = Duration.between(died, CLOCK.instant());
    holders(client)
        .forEach(
            (shard, holder) -> {
              if (!Objects.equals(before.get(shard), killed.identity())) {
                assertThat(holder).as("shard %d stayed", shard).isEqualTo(before.get(shard));
              }
            });
    patiently()
        .until(
            () -> {
              var since = Duration.between(died, CLOCK.instant());
              var ages = served.ages();
              return moving.stream()
                  .allMatch(it -> Objects.requireNonNull(ages.get(it)).compareTo(since) < 0);
            });
    var fresh = Duration.between(died, CLOCK.instant());

    System.out.printf(
        "Replica killed: its shards were taken after %d ms, all its %d PredictiveHPAs had new"
            + " values after %d ms%n",
        taken.toMillis(), moving.size(), fresh.toMillis());
    assertThat(moving).isNotEmpty();
    assertThat(taken).isLessThanOrEqualTo(TAKEOVER);
  }

  private static void theShardsOfOneThatStopsAreTaken(
      KubernetesClient client, SharingReplica left) {
    var stopped = CLOCK.instant();
    patiently().until(() -> held(client), Map.of(left.identity(), 32)::equals);
    var taken = Duration.between(stopped, CLOCK.instant());

    System.out.printf("Replica stopped: its shards were taken %d ms after it%n", taken.toMillis());
    assertThat(taken)
        .as("at once, and not when it has been silent")
        .isLessThan(Duration.ofSeconds(8));
  }

  /** In some steps, each PredictiveHPA is ticked by one replica, and by no other. */
  private static void eachIsTickedByTheHolderOfItsShard(
      KubernetesClient client, List<SharingReplica> replicas) throws Exception {
    ticksAfter(ticks(replicas), replicas, 1); // what was under way when shards moved is over
    var holders = holders(client);
    var before = ticks(replicas);
    var after = ticksAfter(before, replicas, 2);
    assertThat(holders(client)).as("no shard moved meanwhile").isEqualTo(holders);
    var tickedBy = new HashMap<String, List<String>>();
    after.forEach(
        (name, counts) -> {
          var known = before.getOrDefault(name, Map.of());
          tickedBy.put(
              name,
              counts.keySet().stream().filter(it -> count(counts, it) > count(known, it)).toList());
        });
    var expected = new HashMap<String, List<String>>();
    for (var object : all(client)) {
      expected.put(object.getMetadata().getName(), List.of(holder(holders, object)));
    }
    assertThat(tickedBy).hasSize(OBJECTS).isEqualTo(expected);
  }

  /** The ticks of each PredictiveHPA by replica, once there are so many more of each. */
  private static Map<String, Map<String, Double>> ticksAfter(
      Map<String, Map<String, Double>> before, List<SharingReplica> replicas, int more) {
    return patiently()
        .until(
            () -> ticks(replicas),
            now ->
                now.size() == OBJECTS
                    && now.entrySet().stream()
                        .allMatch(
                            it ->
                                it.getValue().entrySet().stream()
                                    .anyMatch(
                                        counted ->
                                            counted.getValue()
                                                >= more
                                                    + count(
                                                        before.getOrDefault(it.getKey(), Map.of()),
                                                        counted.getKey()))));
  }

  private static Map<String, Map<String, Double>> ticks(List<SharingReplica> replicas)
      throws IOException, InterruptedException {
    var ticks = new HashMap<String, Map<String, Double>>();
    for (var replica : replicas) {
      replica
          .ticks()
          .forEach(
              (name, count) ->
                  ticks.computeIfAbsent(name, _ -> new HashMap<>()).put(replica.identity(), count));
    }
    return ticks;
  }

  private static double count(Map<String, Double> counts, String replica) {
    return counts.getOrDefault(replica, 0.0);
  }

  private static List<PredictiveHPA> all(KubernetesClient client) {
    return client.resources(PredictiveHPA.class).inNamespace("default").list().getItems();
  }

  private static List<String> names(
      KubernetesClient client, Map<Integer, String> holders, String holder) {
    return all(client).stream()
        .filter(it -> holder(holders, it).equals(holder))
        .map(it -> it.getMetadata().getName())
        .toList();
  }

  private static String holder(Map<Integer, String> holders, PredictiveHPA object) {
    int shard = Shards.of(ValuePublisher.position(object.getMetadata().getUid()));
    return holders.getOrDefault(shard, "no replica");
  }

  /** The holder of each shard that has one. */
  private static Map<Integer, String> holders(KubernetesClient client) {
    var leases = new HashMap<String, Lease>();
    client
        .leases()
        .inNamespace("prescale")
        .list()
        .getItems()
        .forEach(it -> leases.put(it.getMetadata().getName(), it));
    var holders = new TreeMap<Integer, String>();
    for (int shard = 0; shard < Shards.COUNT; shard++) {
      var lease = leases.get(Shards.lease(shard));
      if (lease != null && lease.getSpec().getHolderIdentity() != null) {
        holders.put(shard, lease.getSpec().getHolderIdentity());
      }
    }
    return holders;
  }

  /** How many shards each replica holds. */
  private static Map<String, Integer> held(KubernetesClient client) {
    var held = new HashMap<String, Integer>();
    holders(client).values().forEach(holder -> held.merge(holder, 1, Integer::sum));
    return held;
  }

  private static String objects() {
    var all = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      all.append(LabObjects.deployment("chat-" + i, Duration.ofSeconds(1)))
          .append(
              """
              ---
              apiVersion: autoscaling.prescale.io/v1alpha1
              kind: PredictiveHPA
              metadata: {name: chat-%1$d, namespace: default}
              spec:
                scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat-%1$d}
                mode: Active
                maxReplicas: 9
                metrics:
                - name: demand
                  prometheus: {query: demand}
                  target: {averageValue: "10"}
                forecast: {step: %2$ds, history: 30m}
                fallback: {utilization: 100%%}
              ---
              """
                  .formatted(i, STEP.toSeconds()));
    }
    return all.toString();
  }
}
