package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.HamiAnnotations.Lock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HamiAnnotationsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.5Z");

  @Test
  void saysAllThatHamisPluginsSchedulerAndMonitorRead() {
    var devices = new PodDevices(List.of(List.of(new DeviceUse("GPU-a", "NVIDIA", 3000, 30))));

    assertThat(HamiAnnotations.of(Families.NVIDIA, devices, "n", NOW))
        .isEqualTo(
            Map.of(
                "hami.io/vgpu-node", "n",
                "hami.io/vgpu-time", "1795262400",
                "hami.io/vgpu-devices-to-allocate", "GPU-a,NVIDIA,3000,30:;",
                "hami.io/vgpu-devices-allocated", "GPU-a,NVIDIA,3000,30:;",
                "hami.io/bind-phase", "allocating",
                "hami.io/bind-time", "1795262400"));
  }

  @Test
  void namesAscendsTemplates() {
    var family =
        Families.ALL.stream().filter(f -> f.word().equals("Ascend910B3")).findFirst().orElseThrow();
    var devices =
        new PodDevices(
            List.of(
                List.of(new DeviceUse("npu-0", "Ascend910B3", 16_384, 0)),
                List.of(new DeviceUse("npu-1", "Ascend910B3", 65_536, 0))));

    assertThat(HamiAnnotations.of(family, devices, "n", NOW))
        .containsEntry(
            "huawei.com/Ascend910B3",
            "[{\"UUID\":\"npu-0\",\"temp\":\"vir05_1c_16g\"},{\"UUID\":\"npu-1\"}]")
        .containsEntry("predicate-time", "1795262400")
        .containsEntry(
            "hami.io/Ascend910B3-devices-to-allocate",
            "npu-0,Ascend910B3,16384,0:;npu-1,Ascend910B3,65536,0:;");
  }

  @Test
  void tellsMetaxsPluginInItsOwnWordsToo() {
    var devices =
        new PodDevices(
            List.of(
                List.of(),
                List.of(
                    new DeviceUse("GPU-a", "Metax-SGPU", 65_536, 100),
                    new DeviceUse("GPU-b", "Metax-SGPU", 65_536, 100))));

    assertThat(HamiAnnotations.of(Families.METAX, devices, "n", NOW))
        .containsEntry(
            "metax-tech.com/gpu-devices-allocated",
            "[[],[{\"uuid\":\"GPU-a\",\"compute\":100,\"vRam\":65536},"
                + "{\"uuid\":\"GPU-b\",\"compute\":100,\"vRam\":65536}]]")
        .containsEntry("metax-tech.com/predicate-time", "1795262400500000000")
        .containsEntry(
            "hami.io/metax-sgpu-devices-allocated",
            ";GPU-a,Metax-SGPU,65536,100:GPU-b,Metax-SGPU,65536,100:;");
  }

  @Test
  void readsAndWritesLocks() {
    var pod = Pods.asking("p", Map.of());

    assertThat(Lock.text(NOW, pod)).isEqualTo("2026-11-21T12:00:00Z,default,p");
    assertThat(Lock.parse("2026-11-21T20:00:00+08:00,default,p"))
        .contains(
            new Lock(
                Instant.parse("2026-11-21T12:00:00Z"),
                Optional.of(new Lock.Owner("default", "p"))));
    assertThat(Lock.parse("2026-11-21T12:00:00Z"))
        .contains(new Lock(Instant.parse("2026-11-21T12:00:00Z"), Optional.empty()));
    assertThat(List.of("", "yesterday", "2026-11-21T12:00:00Z,a", "x,a,b"))
        .allSatisfy(text -> assertThat(Lock.parse(text)).isEmpty());
  }
}
