package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CardsTest {
  @Test
  void countsTheCardsOfAllContainersOfTheLargestPod() {
    var serving = pod(Map.of("nvidia.com/gpu", "2", "cpu", "8"), Map.of("nvidia.com/gpu", "1"));
    var older = pod(Map.of("nvidia.com/gpu", "1"));

    assertThat(Cards.perReplica(List.of(older, serving))).hasValue(3);
  }

  @Test
  void countsCardsOfEveryFamilyAndNotTheirMemory() {
    var share = Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "8000");

    assertThat(Cards.perReplica(List.of(pod(share)))).hasValue(1);
  }

  @Test
  void aPartOfACardIsThePartOfItsCompute() {
    var half = Map.of("nvidia.com/gpu", "2", "nvidia.com/gpucores", "50");
    var unlimited = Map.of("nvidia.com/gpu", "1", "nvidia.com/gpucores", "0");

    assertThat(Cards.perReplica(List.of(pod(half)))).hasValue(1);
    assertThat(Cards.perReplica(List.of(pod(unlimited)))).hasValue(1);
  }

  @Test
  void whatPartOfACardItIsIsNotKnownOfInstancesSlicesAndClaims() {
    var claims =
        new PodBuilder()
            .withNewSpec()
            .addNewContainer()
            .withNewResources()
            .addNewClaim("gpu", null)
            .endResources()
            .endContainer()
            .endSpec()
            .build();

    assertThat(Cards.perReplica(List.of(pod(Map.of("nvidia.com/mig-1g.5gb", "1"))))).isEmpty();
    assertThat(Cards.perReplica(List.of(pod(Map.of("nvidia.com/gpu.shared", "1"))))).isEmpty();
    assertThat(Cards.perReplica(List.of(claims, pod(Map.of())))).isEmpty();
  }

  @Test
  void aPodWithoutCardsHasNoneAndNoPodTellsNothing() {
    var withoutResources =
        new PodBuilder()
            .withNewSpec()
            .addNewContainer()
            .withName("main")
            .endContainer()
            .endSpec()
            .build();

    assertThat(Cards.perReplica(List.of(withoutResources))).hasValue(0);
    assertThat(Cards.perReplica(List.of())).isEmpty();
  }

  @SafeVarargs
  private static Pod pod(Map<String, String>... limits) {
    var pod = new PodBuilder().withNewSpec();
    for (var each : limits) {
      var container = pod.addNewContainer().withName("c").withNewResources();
      each.forEach((name, amount) -> container.addToLimits(name, new Quantity(amount)));
      pod = container.endResources().endContainer();
    }
    return pod.endSpec().build();
  }
}
