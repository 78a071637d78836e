package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.Device.Address;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolsTest {
  private final Pools pools = new Pools();

  @Test
  void aPoolCountsWhenAllItsSlicesAreThere() {
    assertThat(pools.put("a", part(1, 2, "gpu-10"))).containsExactly("node");
    assertThat(pools.on("node").devices()).isEmpty();
    assertThat(pools.on("node").problems())
        .containsExactly(
            "pool gpu.example.com/pool is not used: 1 of its 2 slices of generation 1 are there.");

    pools.put("b", part(1, 2, "gpu-9"));

    assertThat(pools.on("node").devices().keySet().stream().map(Address::name))
        .containsExactly("gpu-9", "gpu-10");
    assertThat(pools.on("node").problems()).isEmpty();
  }

  @Test
  void aNewGenerationReplacesTheOldOneWhenItIsComplete() {
    pools.put("old", part(1, 1, "gpu-0"));
    pools.put("new-1", part(2, 2, "gpu-1"));
    assertThat(pools.on("node").devices()).as("the old one is outdated").isEmpty();

    pools.put("new-2", part(2, 2, "gpu-2"));

    assertThat(pools.on("node").devices()).hasSize(2);
    pools.remove("old");
    assertThat(pools.on("node").devices()).hasSize(2);
    assertThat(pools.remove("new-1")).containsExactly("node");
    assertThat(pools.on("node").devices()).isEmpty();
    assertThat(pools.remove("new-2")).containsExactly("node");
    assertThat(pools.on("node").problems()).as("nothing is left").isEmpty();
    assertThat(pools.remove("new-2")).isEmpty();
  }

  @Test
  void aSliceThatMovesToAnotherNodeConcernsBoth() {
    pools.put("a", Devices.slice("first", Devices.whole("gpu-0", "u")));

    var moved =
        new Slice(
            Devices.DRIVER,
            "first",
            2,
            1,
            Optional.of("second"),
            List.of(Devices.whole("gpu-0", "u")));

    assertThat(pools.put("a", moved)).containsExactlyInAnyOrder("first", "second");
    assertThat(pools.on("first").devices()).isEmpty();
    assertThat(pools.on("second").devices()).hasSize(1);
  }

  @Test
  void aDeviceTwiceMakesAPoolUseless() {
    pools.put("a", part(1, 2, "gpu-0"));
    pools.put("b", part(1, 2, "gpu-0"));

    assertThat(pools.on("node").devices()).isEmpty();
    assertThat(pools.on("node").problems())
        .containsExactly("pool gpu.example.com/pool is not used: device gpu-0 is in it twice.");
  }

  @Test
  void devicesOfNoSingleNodeAreOnNone() {
    var slice =
        new Slice(
            Devices.DRIVER, "fabric", 1, 1, Optional.empty(), List.of(Devices.whole("gpu-0", "u")));

    assertThat(pools.put("a", slice)).isEmpty();
    assertThat(pools.on("").devices()).isEmpty();
  }

  private static Slice part(long generation, long slices, String device) {
    return new Slice(
        Devices.DRIVER,
        "pool",
        generation,
        slices,
        Optional.of("node"),
        List.of(Devices.whole(device, "uuid-" + device)));
  }
}
