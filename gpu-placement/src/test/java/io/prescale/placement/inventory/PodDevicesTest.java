package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodDevicesTest {
  @Test
  void writesEmptyContainersToo() {
    var devices =
        new PodDevices(
            List.of(
                List.of(),
                List.of(
                    new DeviceUse("GPU-a", "NVIDIA", 3000, 30),
                    new DeviceUse("GPU-b", "NVIDIA", 3000, 30)),
                List.of()));

    assertThat(devices.encode()).isEqualTo(";GPU-a,NVIDIA,3000,30:GPU-b,NVIDIA,3000,30:;;");
  }

  @Test
  void readsBackWhatItWritesAndSoDoesAnotherDecoder() {
    var random = new SplittableRandom(6);
    for (int run = 0; run < 500; run++) {
      var devices = random(random);

      assertThat(PodDevices.decode(devices.encode()))
          .isEqualTo(new PodDevices.Reading.Devices(devices));
      var expected = new ArrayList<IndependentDecoder.Device>();
      for (int container = 0; container < devices.containers().size(); container++) {
        for (var use : devices.containers().get(container)) {
          expected.add(
              new IndependentDecoder.Device(
                  container, use.uuid(), use.type(), use.memoryMib(), use.cores()));
        }
      }
      assertThat(IndependentDecoder.decode(devices.encode())).isEqualTo(expected);
    }
  }

  private static PodDevices random(SplittableRandom random) {
    var containers = new ArrayList<List<DeviceUse>>();
    for (int container = random.nextInt(1, 5); container > 0; container--) {
      var uses = new ArrayList<DeviceUse>();
      for (int use = random.nextInt(4); use > 0; use--) {
        uses.add(
            new DeviceUse(
                "GPU-" + random.nextInt(100), "T", random.nextInt(99_999), random.nextInt(101)));
      }
      containers.add(uses);
    }
    return new PodDevices(containers);
  }

  @Test
  void readsVolcanosFormWithoutALastSeparator() {
    assertThat(PodDevices.decode(";GPU-a,NVIDIA,1,2:"))
        .isEqualTo(
            new PodDevices.Reading.Devices(
                new PodDevices(
                    List.of(List.of(), List.of(new DeviceUse("GPU-a", "NVIDIA", 1, 2))))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          GPU-a               @ "GPU-a" is not a device; write uuid,type,MiB,cores
          GPU-a,T,1           @ "GPU-a,T,1" is not a device; write uuid,type,MiB,cores
          ,T,1,2:;            @ ",T,1,2" is not a device; write uuid,type,MiB,cores
          a,,1,2:;            @ "a,,1,2" is not a device; write uuid,type,MiB,cores
          a,T,-1,2:;          @ "-1" is not an amount; give a whole number from 0
          a,T,1,99999999999:; @ "99999999999" is not an amount; give a whole number from 0
          a,T,x,2:            @ "x" is not an amount; give a whole number from 0
          """)
  void saysWhyATextCannotBeRead(String text, String why) {
    assertThat(PodDevices.decode(text)).isEqualTo(new PodDevices.Reading.Malformed(why));
  }

  @Test
  void readsNoTextWithoutEnd() {
    assertThat(PodDevices.decode(";".repeat(70_000)))
        .isEqualTo(
            new PodDevices.Reading.Malformed("it has 70000 characters; at most 65536 are read"));
  }

  @Test
  void refusesAUseOfNoCardOrOfLessThanNothing() {
    assertThatThrownBy(() -> new DeviceUse("", "T", 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DeviceUse("a", "T", -1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
