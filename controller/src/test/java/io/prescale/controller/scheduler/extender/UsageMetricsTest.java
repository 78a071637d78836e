package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.ledger.CardUse;
import io.prescale.placement.ledger.CardUse.Part;
import io.prescale.placement.ledger.Utilisation.Membership;
import io.prescale.placement.ledger.Utilisation.Workload;
import io.prometheus.client.CollectorRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UsageMetricsTest {
  private static final CardReading HALF_BUSY =
      new CardReading(GpuHealth.UNKNOWN.withTemperature(60), OptionalInt.of(50), Optional.empty());

  private final List<CardUse> cards = new ArrayList<>();
  private final CollectorRegistry registry = new CollectorRegistry();

  @Test
  void laysTheUseOfACardToItsSharersByTheirParts() {
    cards.add(card("n", "u0", new Part("a-1", 750), new Part("b-1", 250)));
    cards.add(card("n", "u1", new Part("a-2", 1000)));
    cards.add(card("m", "u2"));
    register(Map.of("u0", HALF_BUSY));

    assertThat(value("prescale_gpu_card_allocated_ratio", "node", "n", "uuid", "u0")).isEqualTo(1);
    assertThat(value("prescale_gpu_card_used_ratio", "node", "n", "uuid", "u0")).isEqualTo(0.5);
    assertThat(value("prescale_gpu_card_used_ratio", "node", "n", "uuid", "u1")).isNull();
    assertThat(value("prescale_gpu_card_temperature_celsius", "node", "n", "uuid", "u0"))
        .isEqualTo(60);
    assertThat(value("prescale_gpu_node_allocated_cards", "node", "n")).isEqualTo(2);
    assertThat(value("prescale_gpu_node_used_cards", "node", "n")).isEqualTo(0.5);
    assertThat(value("prescale_gpu_node_used_cards", "node", "m")).isNull();
    assertThat(value("prescale_gpu_queue_allocated_cards", "queue", "a")).isEqualTo(1.75);
    assertThat(value("prescale_gpu_queue_used_cards", "queue", "a")).isEqualTo(0.375);
    assertThat(value("prescale_gpu_queue_used_cards", "queue", "b")).isEqualTo(0.125);
    assertThat(
            value(
                "prescale_gpu_workload_used_cards", "namespace", "ns", "workload", "Deployment/b"))
        .isEqualTo(0.125);
  }

  @Test
  void thereAreNeverMoreSeriesThanAnybodyCanStore() {
    for (int pod = 0; pod < UsageMetrics.MOST_QUEUES + 100; pod++) {
      cards.add(card("node", "u" + pod, new Part(pod + "-x", pod < 100 ? 100 : 1000)));
    }
    register(Map.of());

    assertThat(series("prescale_gpu_queue_allocated_cards"))
        .isEqualTo(UsageMetrics.MOST_QUEUES + 1);
    assertThat(value("prescale_gpu_queue_allocated_cards", "queue", "others"))
        .isCloseTo(10, within(1e-9));
    assertThat(value("prescale_gpu_queue_allocated_cards", "queue", "500")).isEqualTo(1);
  }

  @Test
  void findsQueueAndWorkloadOfAPod() {
    assertThat(member("{}", "[{kind: ReplicaSet, name: llama-7c9d, controller: true}]"))
        .isEqualTo(new Membership("ns", new Workload("ns", "ReplicaSet/llama-7c9d")));
    assertThat(
            member(
                "{pod-template-hash: 7c9d, kai.scheduler/queue: team}",
                "[{kind: ReplicaSet, name: llama-7c9d, controller: true}]"))
        .isEqualTo(new Membership("team", new Workload("ns", "Deployment/llama")));
    assertThat(member("{kueue.x-k8s.io/queue-name: ''}", "[{kind: Job, name: j}]"))
        .isEqualTo(new Membership("ns", new Workload("ns", "Pod")));
  }

  private static Membership member(String labels, String owners) {
    return Memberships.of(
        Serialization.unmarshal(
            "metadata: {name: p, namespace: ns, uid: u, labels: %s, ownerReferences: %s}"
                .formatted(labels, owners),
            Pod.class));
  }

  private static CardUse card(String node, String uuid, Part... parts) {
    return new CardUse(node, uuid, true, List.of(parts));
  }

  /** A pod's queue and Deployment are what its name begins with. */
  private void register(Map<String, CardReading> readings) {
    new UsageMetrics(
            () -> cards,
            () -> readings,
            pod -> {
              var name = pod.substring(0, pod.indexOf('-'));
              return Optional.of(new Membership(name, new Workload("ns", "Deployment/" + name)));
            })
        .register(registry);
  }

  private @Nullable Double value(String name, String... labels) {
    var names = Stream.iterate(0, i -> i < labels.length, i -> i + 2).map(i -> labels[i]);
    var values = Stream.iterate(1, i -> i < labels.length, i -> i + 2).map(i -> labels[i]);
    return registry.getSampleValue(
        name, names.toArray(String[]::new), values.toArray(String[]::new));
  }

  private long series(String name) {
    return Collections.list(registry.metricFamilySamples()).stream()
        .filter(family -> family.name.equals(name))
        .mapToLong(family -> family.samples.size())
        .sum();
  }
}
