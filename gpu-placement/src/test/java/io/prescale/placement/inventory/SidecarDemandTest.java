package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.inventory.PodFacts.Container;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What pods with sidecars ask for. */
class SidecarDemandTest {
  private final DemandReader reader = new DemandReader(_ -> Set.of());

  private static Container cards(String name, boolean init, long cards) {
    return new Container(name, init, Map.of("nvidia.com/gpu", cards, "nvidia.com/gpumem", 100L));
  }

  private static GpuShare share(int card) {
    return new GpuShare(card, "GPU-" + card, 0, 100, Optional.empty());
  }

  /** As KEP-753 counts them. */
  @Test
  void anInitContainerAfterASidecarHasCardsBesideIt() {
    var sidecar = cards("sidecar", false, 1);
    var init = cards("init", true, 1);

    var after = cards(List.of(sidecar, init, cards("main", false, 0)));
    assertThat(after.shape().gpus()).isEqualTo(2);
    assertThat(after.devices(List.of(share(0), share(1))).encode())
        .isEqualTo("GPU-0,NVIDIA,100,0:;GPU-1,NVIDIA,100,0:;;");

    var handedOn = cards(List.of(sidecar, init, cards("main", false, 1)));
    assertThat(handedOn.shape().gpus()).isEqualTo(2);
    assertThat(handedOn.devices(List.of(share(0), share(1))).encode())
        .isEqualTo("GPU-0,NVIDIA,100,0:;GPU-1,NVIDIA,100,0:;GPU-1,NVIDIA,100,0:;");

    var before = cards(List.of(init, sidecar, cards("main", false, 0)));
    assertThat(before.shape().gpus()).isEqualTo(1);
    assertThat(before.devices(List.of(share(0))).encode())
        .isEqualTo("GPU-0,NVIDIA,100,0:;GPU-0,NVIDIA,100,0:;;");
  }

  private PodDemand.Cards cards(List<Container> containers) {
    return (PodDemand.Cards) reader.read(Pods.of("p", containers, Map.of()));
  }

  @Test
  void countedUnitsOfAnInitContainerAddToThoseOfTheSidecarsBeforeIt() {
    var gpu = Map.of("nvidia.com/mig-1g.10gb", 1L);
    var sidecar = new Container("sidecar", false, gpu);
    var init = new Container("init", true, gpu);

    assertThat(reader.read(Pods.of("p", List.of(sidecar, init), Map.of())))
        .isEqualTo(new PodDemand.Counted(Map.of("nvidia.com/mig-1g.10gb", 2L)));
    assertThat(reader.read(Pods.of("p", List.of(init, sidecar), Map.of())))
        .isEqualTo(new PodDemand.Counted(gpu));
  }
}
