package io.prescale.placement.cluster;

import static io.prescale.placement.cluster.Clusters.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestShapeTest {
  @Test
  void saysWhatItNeeds() {
    assertThat(
            RequestShape.of(2, new GpuDemand.WholeGpu(40 * GIB))
                .withLinks(LinkRequirement.required(LinkScope.NVLINK)))
        .hasToString("2 GPUs with 40 GiB on NVLink");
    assertThat(RequestShape.of(8, GpuDemand.WholeGpu.ANY)).hasToString("8 GPUs");
    assertThat(RequestShape.of(1, new GpuDemand.Fraction(250))).hasToString("1 GPU with 250/1000");
    assertThat(RequestShape.of(1, new GpuDemand.Share(0, 1000))).hasToString("1 GPU with 1000 MiB");
    assertThat(RequestShape.of(1, new GpuDemand.Share(300, 2 * GIB)))
        .hasToString("1 GPU with 2 GiB and 300/1000 of the compute");
    assertThat(RequestShape.of(1, new GpuDemand.MigInstance("1g.10gb")))
        .hasToString("1 GPU with MIG 1g.10gb");
    assertThat(RequestShape.of(0, new GpuDemand.NoGpu()).withHost(new HostDemand(500, GIB, "")))
        .hasToString("500 milli CPU and 1 GiB");
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> RequestShape.of(17, GpuDemand.WholeGpu.ANY))
        .hasMessage("a request has 0 to 16 GPUs, not 17");
    assertThatThrownBy(() -> RequestShape.of(-1, GpuDemand.WholeGpu.ANY))
        .hasMessage("a request has 0 to 16 GPUs, not -1");
    assertThatThrownBy(() -> RequestShape.of(0, GpuDemand.WholeGpu.ANY))
        .hasMessageContaining("0 GPUs do not go with");
    assertThatThrownBy(() -> RequestShape.of(1, new GpuDemand.NoGpu()))
        .hasMessage("1 GPUs do not go with no GPU");
    assertThatThrownBy(() -> new GpuDemand.Fraction(1000))
        .hasMessage("a fraction is 1 to 999 thousandths of a card, not 1000");
    assertThatThrownBy(() -> new GpuDemand.Share(1001, 1))
        .hasMessage("a compute share is 0 to 1000 thousandths of a card, not 1001");
    assertThatThrownBy(() -> new GpuDemand.Share(1, 0))
        .hasMessage("a share has at least 1 MiB of the card's memory, not 0");
    assertThatThrownBy(() -> new GpuDemand.MigInstance(" "))
        .hasMessage("a MIG demand names its profile, such as 1g.10gb");
    assertThatThrownBy(() -> new HostDemand(-1, 0, ""))
        .hasMessage("CPU and memory are not negative: -1 milli, 0 MiB");
    assertThatThrownBy(() -> new GpuRequest("", RequestShape.of(1, GpuDemand.WholeGpu.ANY)))
        .hasMessage("the name of a request is blank");
  }

  @Test
  void selectsCardsByVendorModelAndUuid() {
    var card = Gpu.whole("u1", "nvidia", "A100", GIB);

    assertThat(CardSelector.ANY.accepts(card)).isTrue();
    assertThat(Clusters.models("A100", "H100").accepts(card)).isTrue();
    assertThat(Clusters.models("H100").accepts(card)).isFalse();
    assertThat(selector(Set.of("amd"), Set.of(), Set.of(), Set.of()).accepts(card)).isFalse();
    assertThat(selector(Set.of(), Set.of("A100"), Set.of(), Set.of()).accepts(card)).isFalse();
    assertThat(selector(Set.of(), Set.of(), Set.of("u2"), Set.of()).accepts(card)).isFalse();
    assertThat(selector(Set.of(), Set.of(), Set.of("u1"), Set.of("u1")).accepts(card)).isFalse();
  }

  private static CardSelector selector(
      Set<String> vendors,
      Set<String> excludedModels,
      Set<String> uuids,
      Set<String> excludedUuids) {
    return new CardSelector(vendors, Set.of(), excludedModels, uuids, excludedUuids, Set.of());
  }
}
