package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.prescale.placement.inventory.PodSelector;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a replacement has in common with the pod that it replaces, before it is bound. */
class KinTest {
  private static Optional<PodSelector> kin(Map<String, String> labels) {
    return Kin.of(new ObjectMetaBuilder().withNamespace("team").withLabels(labels).build());
  }

  private static Optional<PodSelector> selector(Map<String, String> labels) {
    return Optional.of(new PodSelector("team", labels));
  }

  @Test
  void labelsThatAPodGetsWhenItIsBoundAreNotThoseOfItsReplacement() {
    assertThat(
            kin(
                Map.of(
                    "app", "train",
                    "gpu.prescale.io/queue", "q",
                    "gpu.prescale.io/quota", "Guaranteed",
                    "hami.io/vgpu-node", "node",
                    "topology.kubernetes.io/zone", "a")))
        .isEqualTo(selector(Map.of("app", "train", "gpu.prescale.io/queue", "q")));
    assertThat(kin(Map.of("gpu.prescale.io/quota", "OverQuota"))).isEmpty();
  }

  @Test
  void whatAControllerGivesToNoOthersIsEnough() {
    assertThat(kin(Map.of("app", "a", "pod-template-hash", "x")))
        .isEqualTo(selector(Map.of("pod-template-hash", "x")));
  }
}
