package io.prescale.placement.claims;

import io.prescale.placement.claims.ConsumableCapacity.Policy;
import io.prescale.placement.claims.ConsumableCapacity.Range;
import io.prescale.placement.claims.Device.Attribute;
import io.prescale.placement.cluster.LinkRequirement;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Devices, slices and claims for tests: cards of 80 GiB of the driver {@value #DRIVER}. */
final class Devices {
  static final String DRIVER = "gpu.example.com";
  static final Taint SICK = new Taint("example.com/xid", "79", "NoSchedule");
  static final BigDecimal GIBIBYTE = BigDecimal.valueOf(1L << 30);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private Devices() {}

  static Device whole(String name, String uuid) {
    return device(name, uuid, false, false);
  }

  static Device shared(String name, String uuid) {
    return device(name, uuid, true, false);
  }

  static Device sick(String name, String uuid) {
    return device(name, uuid, true, true);
  }

  /** The same card on a PCIe root. */
  static Device on(String pcieRoot, Device device) {
    var attributes = new HashMap<>(device.attributes());
    attributes.put("resource.kubernetes.io/pcieRoot", Attribute.text(pcieRoot));
    return new Device(
        device.name(),
        attributes,
        device.capacities(),
        device.shared(),
        device.taints(),
        device.cut());
  }

  private static Device device(String name, String uuid, boolean shared, boolean tainted) {
    var memory = new Range(GIBIBYTE, Optional.empty(), Optional.of(GIBIBYTE));
    var cores = new Range(BigDecimal.ONE, Optional.empty(), Optional.of(BigDecimal.ONE));
    return new Device(
        name,
        Map.of(DRIVER + "/uuid", Attribute.text(uuid)),
        Map.of("memory", capacity(gibibytes(80), memory), "cores", capacity(HUNDRED, cores)),
        shared,
        tainted ? List.of(SICK) : List.of(),
        false);
  }

  private static ConsumableCapacity capacity(BigDecimal all, Range range) {
    return new ConsumableCapacity(
        all, Optional.of(new Policy(Optional.of(all), Optional.of(range), List.of())));
  }

  static BigDecimal gibibytes(int number) {
    return GIBIBYTE.multiply(BigDecimal.valueOf(number));
  }

  /** A pool of one slice. */
  static Slice slice(String node, Device... devices) {
    return new Slice(DRIVER, node, 1, 1, Optional.of(node), List.of(devices));
  }

  /** A pool of so many shared cards. */
  static Slice sharedCards(String node, int cards) {
    return slice(
        node,
        IntStream.range(0, cards)
            .mapToObj(card -> shared("gpu-" + card, node + "-" + card))
            .toArray(Device[]::new));
  }

  /** What tolerates no taint and has no constraint. */
  static Claim.Request request(
      String deviceClass, int count, List<String> selectors, Map<String, BigDecimal> capacity) {
    return new Claim.Request(
        deviceClass, count, selectors, capacity, List.of(), LinkRequirement.NONE);
  }

  static Map<String, BigDecimal> share(int gibibytes, int cores) {
    return Map.of("memory", gibibytes(gibibytes), "cores", BigDecimal.valueOf(cores));
  }

  /** For a share of one card. */
  static Claim.Request shares(int gibibytes, int cores) {
    return request("gpu", 1, List.of(), share(gibibytes, cores));
  }
}
