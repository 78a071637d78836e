package io.prescale.controller.scheduler.claims;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices, claims and pods that the API server admits and that no driver or user should write. */
class HostileClaimsTest {
  private static final long SEED = 15;
  private static final int ROUNDS = 5_000;
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private static final List<String> AMOUNTS =
      List.of(
          "0",
          "1",
          "100",
          "-1",
          "1n",
          "80Gi",
          "8Ei",
          "9223372036854775807",
          "1500m",
          "1e3000000",
          "1e-3000000");
  private static final List<String> EXPRESSIONS =
      List.of(
          "true",
          "",
          "device.driver == 'd'",
          "device.driver == \\\"d\\\" && device.allowMultipleAllocations",
          "device.attributes['d'].uuid == 'GPU-0'",
          "device.attributes['d'].numa == 999999999999999999",
          "&&",
          "'",
          "device.capacity['d'].memory.isGreaterThan(quantity('1Gi'))");
  private static final List<String> TEXTS =
      List.of("", ",", ",,", "GPU-0", "GPU-0,GPU-0", "n", "none", "🦉", "gpu", "tomorrow");

  private final KubernetesSerialization yaml = new KubernetesSerialization();
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final ClaimLedger ledger = new ClaimLedger();

  @Test
  @Timeout(120)
  void noneStopsARound() {
    for (int i = 0; i < ROUNDS; i++) {
      var slice = read(ResourceSlice.class, slice());
      var known = read(DeviceClass.class, deviceClass());
      var claim = inBrief(claim());
      var pod = read(Pod.class, pod());
      var rule = new GenericKubernetesResource();
      rule.setAdditionalProperty("spec", shape(3));
      assertThatCode(
              () -> {
                ledger.nodeSeen("n", pick(List.of(Readiness.values())));
                ledger.sliceSeen(pick(TEXTS), DeviceFacts.of(slice));
                ledger.classSeen("share", ClaimFacts.selectors(known));
                DeviceFacts.rule(rule).ifPresent(it -> ledger.taintRuleSeen("r", it));
                ledger.claimSeen(ClaimFacts.of(claim));
                ClaimFacts.of(pod, Optional.empty()).ifPresent(ledger::podSeen);
                ledger.steps(NOON);
              })
          .as("seed %d: %s %s %s %s %s", SEED, slice, known, claim, pod, rule)
          .doesNotThrowAnyException();
    }
  }

  private String slice() {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceSlice
    metadata: {name: s}
    spec:
      driver: d
      nodeName: %s
      pool: {name: "%s", generation: %d, resourceSliceCount: %d}
      devices:
      - name: gpu-0
        allowMultipleAllocations: %b
        attributes: {uuid: {string: "%s"}, numa: {int: %d}, ecc: {bool: true}}
        capacity:
          memory: {value: "%s", requestPolicy: {default: "%s", validRange: {min: "%s", max: "%s", step: "%s"}}}
          cores: {value: "%s", requestPolicy: {default: "%s", validValues: ["%s", "%s"]}}
        taints: [{key: "%s", effect: "%s"}]
      - {name: gpu-1}
    """
        .formatted(
            random.nextInt(5) == 0 ? "''" : "n",
            pick(TEXTS),
            random.nextLong(),
            random.nextLong(3),
            random.nextBoolean(),
            pick(TEXTS),
            random.nextLong(),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(AMOUNTS),
            pick(TEXTS),
            pick(List.of("None", "NoSchedule", "NoExecute", "")));
  }

  private String deviceClass() {
    return """
    apiVersion: resource.k8s.io/v1
    kind: DeviceClass
    metadata: {name: share}
    spec: {selectors: [{cel: {expression: "%s"}}]}
    """
        .formatted(pick(EXPRESSIONS));
  }

  private String claim() {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata:
      name: "claim-%d"
      namespace: ns
      uid: "claim-%d"
      resourceVersion: "7"
      creationTimestamp: "%s"
      annotations: {resource.kubernetes.io/pod-claim-name: "%s", gpu.prescale.io/node: "%s", gpu.prescale.io/cards: "%s"}
      ownerReferences: [{apiVersion: v1, kind: Pod, name: pod, uid: "pod-%d", controller: %b}]
    spec:
      devices:
        requests:
        - name: gpu
          exactly:
            deviceClassName: share
            count: %d
            selectors: [{cel: {expression: "%s"}}]
            capacity: {requests: {memory: "%s"}}
        config: [{opaque: {driver: d, parameters: {apiVersion: "%s", kind: "%s", metadata: "%s"}}}]
    status:
      allocation:
        devices:
          config: [{opaque: {driver: d, parameters: {apiVersion: v1, kind: Pod, spec: "%s"}}}]
          results: [{request: gpu, driver: d, pool: "%s", device: gpu-0, consumedCapacity: {memory: "%s"}}]
    """
        .formatted(
            random.nextInt(5),
            random.nextInt(5),
            pick(TEXTS),
            pick(TEXTS),
            pick(TEXTS),
            pick(TEXTS),
            random.nextInt(5),
            random.nextBoolean(),
            random.nextLong(),
            pick(EXPRESSIONS),
            pick(AMOUNTS),
            pick(TEXTS),
            pick(TEXTS),
            pick(TEXTS),
            pick(TEXTS),
            pick(TEXTS),
            pick(AMOUNTS));
  }

  private String pod() {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: pod, namespace: ns, uid: "pod-%d", creationTimestamp: "%s"}
    spec:
      priority: %d
      schedulingGates: [{name: %s}]
      resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
      containers: [{name: c}]
    status:
      resourceClaimStatuses: [{name: gpu, resourceClaimName: "claim-%d"}]
    """
        .formatted(
            random.nextInt(5),
            pick(TEXTS),
            random.nextInt(),
            random.nextBoolean() ? ClaimFacts.GATE : "other",
            random.nextInt(5));
  }

  /** The places where a reader looks hold maps, lists and scalars in turn. */
  private Object shape(int depth) {
    return switch (depth == 0 ? 0 : random.nextInt(6)) {
      case 0 -> pick(List.of("NoSchedule", -1, Long.MAX_VALUE, 1e300, true, ""));
      case 1 -> List.of(shape(depth - 1));
      default ->
          Map.of(
              "deviceSelector", shape(depth - 1),
              "taint", shape(depth - 1),
              "key", shape(depth - 1),
              "effect", shape(depth - 1),
              "driver", shape(depth - 1));
    };
  }

  /** As a watch brings it. */
  private ResourceClaim inBrief(String claim) {
    var json = yaml.asJson(read(Map.class, claim));
    var brief = ClaimsInBrief.JSON.event("{\"object\":%s}".formatted(json));
    return yaml.convertValue(read(Map.class, brief).get("object"), ResourceClaim.class);
  }

  private <T> T read(Class<T> type, String text) {
    return yaml.unmarshal(text, type);
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
