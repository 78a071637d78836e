package io.prescale.controller.scheduler.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.claims.Device.Attribute;
import io.prescale.placement.claims.Device.Attribute.Kind;
import io.prescale.placement.claims.Taint;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceFactsTest {

  @Test
  void readsASliceWithEverythingADeviceCanHave() {
    var slice =
        DeviceFacts.of(
            read(
                ResourceSlice.class,
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s}
                spec:
                  driver: d.example.com
                  nodeName: node
                  pool: {name: p, generation: 3, resourceSliceCount: 2}
                  devices:
                  - name: gpu-0
                    allowMultipleAllocations: true
                    attributes:
                      uuid: {string: GPU-0}
                      numa: {int: 1}
                      ecc: {bool: true}
                      driverVersion: {version: 1.2.3}
                      other.example.com/root: {string: r}
                    capacity:
                      memory:
                        value: 80Gi
                        requestPolicy: {default: 8Gi, validRange: {min: 1Gi, max: 40Gi, step: 1Gi}}
                      cores: {value: "100", requestPolicy: {default: "1", validValues: ["1", "50"]}}
                    taints: [{key: t, effect: NoExecute}]
                  - {name: gpu-1, taints: [{key: note, effect: None}], consumesCounters: [{counterSet: c}]}
                """));

    assertThat(slice.generation()).isEqualTo(3);
    assertThat(slice.slices()).isEqualTo(2);
    assertThat(slice.node()).contains("node");
    var first = slice.devices().getFirst();
    assertThat(first.attributes())
        .containsOnly(
            Map.entry("d.example.com/uuid", new Attribute(Kind.TEXT, "GPU-0")),
            Map.entry("d.example.com/numa", new Attribute(Kind.NUMBER, "1")),
            Map.entry("d.example.com/ecc", new Attribute(Kind.FLAG, "true")),
            Map.entry("d.example.com/driverVersion", new Attribute(Kind.VERSION, "1.2.3")),
            Map.entry("other.example.com/root", new Attribute(Kind.TEXT, "r")));
    assertThat(first.shared()).isTrue();
    assertThat(first.taints()).containsExactly(new Taint("t", "", "NoExecute"));
    assertThat(first.cut()).isFalse();
    var memory = Objects.requireNonNull(first.capacities().get("memory"));
    assertThat(memory.portion(Optional.of(BigDecimal.ONE)).orElseThrow())
        .isEqualByComparingTo(BigDecimal.valueOf(1L << 30));
    assertThat(memory.portion(Optional.of(BigDecimal.valueOf(41L << 30)))).isEmpty();
    var cores = Objects.requireNonNull(first.capacities().get("cores"));
    assertThat(cores.portion(Optional.of(BigDecimal.TEN))).contains(new BigDecimal(50));
    var second = slice.devices().getLast();
    assertThat(second.taints()).as("the effect None keeps no claim away").isEmpty();
    assertThat(second.cut()).isTrue();
    assertThat(second.shared()).isFalse();
  }

  @Test
  void readsASliceWithAlmostNothing() {
    var slice =
        DeviceFacts.of(
            read(
                ResourceSlice.class,
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s}
                spec: {driver: d, allNodes: true, pool: {name: p}, devices: [{name: gpu-0}]}
                """));

    assertThat(slice.node()).isEmpty();
    assertThat(slice.slices()).isZero();
    assertThat(slice.devices()).hasSize(1);
  }

  @Test
  void devicesWithNodesOfTheirOwnAreOfNoNode() {
    var slice =
        DeviceFacts.of(
            read(
                ResourceSlice.class,
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s}
                spec: {driver: d, nodeName: n, perDeviceNodeSelection: true, pool: {name: p}}
                """));

    assertThat(slice.node()).isEmpty();
  }

  @Test
  void readsRulesThatTaintDevices() {
    var taint = "taint: {key: k, value: v, effect: NoExecute}";

    assertThat(ruleOf("{deviceSelector: {driver: d, device: gpu-0}, %s}".formatted(taint)))
        .contains(
            new Taint.Rule(
                Optional.of("d"),
                Optional.empty(),
                Optional.of("gpu-0"),
                new Taint("k", "v", "NoExecute")));
    assertThat(ruleOf("{deviceSelector: {}, %s}".formatted(taint))).as("all devices").isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "[]",
        "{deviceSelector: {}}",
        "{deviceSelector: {}, taint: {effect: NoSchedule}}",
        "{deviceSelector: {}, taint: {key: k}}",
        "{deviceSelector: {}, taint: {key: k, effect: None}}",
        "{taint: {key: k, effect: NoSchedule}}"
      })
  void aRuleThatSelectsNothingOrHasNoEffectTaintsNothing(String spec) {
    assertThat(ruleOf(spec)).isEmpty();
  }

  private static Optional<Taint.Rule> ruleOf(String spec) {
    return DeviceFacts.rule(
        read(
            GenericKubernetesResource.class,
            """
            apiVersion: resource.k8s.io/v1beta2
            kind: DeviceTaintRule
            metadata: {name: r}
            spec: %s
            """
                .formatted(spec)));
  }

  private static <T extends HasMetadata> T read(Class<T> type, String yaml) {
    return Serialization.unmarshal(yaml, type);
  }
}
