package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Which cards of {@link DraObjects} kube-scheduler has allocated, and which were chosen for it. */
record ClaimedCards(KubernetesClient client) {
  /** The cards that Prescale chose for a claim. */
  static final String PINNED = "gpu.prescale.io/cards";

  private static final String NODE = "gpu.prescale.io/node";
  private static final BigDecimal GIBIBYTE = BigDecimal.valueOf(1L << 30);

  List<Pod> pods() {
    return client.pods().inNamespace("default").list().getItems();
  }

  List<ResourceClaim> claims() {
    return client.resources(ResourceClaim.class).inNamespace("default").list().getItems();
  }

  /** How many claims have each card. */
  Map<String, Long> usedCards() {
    return claims().stream()
        .flatMap(claim -> results(claim).stream())
        .collect(Collectors.groupingBy(ClaimedCards::card, Collectors.counting()));
  }

  /** Every allocation is of the cards, on the node and for the pod that we chose. */
  void assertAllocatedAsDecided() {
    var byName =
        claims().stream().collect(Collectors.toMap(c -> c.getMetadata().getName(), c -> c));
    for (var pod : pods()) {
      if (pod.getSpec().getNodeName() == null) {
        continue;
      }
      var claim =
          Objects.requireNonNull(
              byName.get(
                  pod.getStatus().getResourceClaimStatuses().getFirst().getResourceClaimName()));
      var wanted = claim.getMetadata().getAnnotations();
      assertThat(claim.getMetadata().getOwnerReferences().getFirst().getUid())
          .isEqualTo(pod.getMetadata().getUid());
      assertThat(wanted.get(NODE)).isEqualTo(pod.getSpec().getNodeName());
      assertThat(results(claim).stream().map(ClaimedCards::card))
          .containsExactlyInAnyOrder(Objects.requireNonNull(wanted.get(PINNED)).split(",", -1));
    }
  }

  void assertNothingIsPromisedTwice() {
    var gibibytes = new HashMap<String, BigDecimal>();
    var cores = new HashMap<String, BigDecimal>();
    for (var claim : claims()) {
      for (var result : results(claim)) {
        boolean whole = result.getPool().startsWith("whole");
        gibibytes.merge(
            card(result),
            whole ? BigDecimal.valueOf(80) : consumed(result, "memory").divide(GIBIBYTE),
            BigDecimal::add);
        cores.merge(
            card(result),
            whole ? BigDecimal.valueOf(100) : consumed(result, "cores"),
            BigDecimal::add);
      }
    }
    assertThat(gibibytes)
        .allSatisfy((_, sum) -> assertThat(sum.intValue()).isLessThanOrEqualTo(80));
    assertThat(cores).allSatisfy((_, sum) -> assertThat(sum.intValue()).isLessThanOrEqualTo(100));
  }

  private static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
    var allocation = claim.getStatus() == null ? null : claim.getStatus().getAllocation();
    return allocation == null ? List.of() : allocation.getDevices().getResults();
  }

  private static String card(DeviceRequestAllocationResult result) {
    return DraObjects.uuid(
        result.getPool(), Integer.parseInt(result.getDevice().substring("gpu-".length())));
  }

  private static BigDecimal consumed(DeviceRequestAllocationResult result, String capacity) {
    return Objects.requireNonNull(result.getConsumedCapacity().get(capacity)).getNumericalAmount();
  }
}
