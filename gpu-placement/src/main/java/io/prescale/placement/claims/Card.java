package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.claims.Device.Attribute;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.Partitioning;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A device to which claims can be pinned.
 *
 * @param gpu its vendor is the driver
 */
record Card(Address address, Device device, Gpu gpu) {
  static final String MEMORY = "memory";
  static final String CORES = "cores";
  private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1 << 20);
  private static final int LONGEST_NAME = 253;

  /** Kubernetes sets no limit to the sharers of a device. */
  private static final int MOST_SHARERS = 10_000;

  /** Why a device cannot be used; empty when it can. */
  static Optional<String> problem(Address address, Device device) {
    if (!isName(uuid(address, device))) {
      return Optional.of(
          "device %s is left out: it has no attribute %s/uuid by which a claim can name it."
              .formatted(address, address.driver()));
    }
    if (device.cut()) {
      return Optional.of(
          "device %s is left out: it shares counters with others.".formatted(address));
    }
    long memory = memoryMib(device);
    if (memory > Gpu.MOST_MEMORY_MIB || (memory < 1 && device.shared())) {
      return Optional.of(
          "device %s is left out: its memory is %d MiB; 1 to %d are understood."
              .formatted(address, memory, Gpu.MOST_MEMORY_MIB));
    }
    return Optional.empty();
  }

  /** The card of a device that has no problem. */
  static Card of(Address address, Device device) {
    var gpu =
        new Gpu(
            uuid(address, device),
            address.driver(),
            text(address, device, "productName").orElse(address.driver()),
            Math.toIntExact(memoryMib(device)),
            Gpu.WHOLE_MILLI,
            device.shared() ? Partitioning.HAMI_CORE : Partitioning.WHOLE,
            device.shared() ? MOST_SHARERS : 1,
            List.of(),
            device.taints().isEmpty()
                ? GpuHealth.UNKNOWN
                : GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY));
    return new Card(address, device, gpu);
  }

  /**
   * The PCIe root complex that the card is on, as the standard attribute of drivers says
   * (KEP-4381).
   */
  Optional<String> pcieRoot() {
    return text(device, "resource.kubernetes.io/pcieRoot");
  }

  /** Whether the card has taints, all of which these tolerations cover. */
  boolean isTolerated(List<Taint.Toleration> tolerations) {
    return !device.taints().isEmpty()
        && device.taints().stream()
            .allMatch(taint -> tolerations.stream().anyMatch(one -> one.covers(taint)));
  }

  /** The card as a claim sees it that tolerates its taints. */
  Card withoutTaints() {
    return of(address, device.withTaints(List.of()));
  }

  private static long memoryMib(Device device) {
    var capacity = device.capacities().get(MEMORY);
    return capacity == null
        ? 0
        : capacity
            .value()
            .divide(MEBIBYTE, 0, RoundingMode.FLOOR)
            .max(BigDecimal.ZERO)
            .min(BigDecimal.valueOf(Integer.MAX_VALUE))
            .longValue();
  }

  private static String uuid(Address address, Device device) {
    return text(address, device, "uuid").orElse("");
  }

  private static Optional<String> text(Address address, Device device, String name) {
    return text(device, address.driver() + "/" + name);
  }

  private static Optional<String> text(Device device, String attribute) {
    return Optional.ofNullable(device.attributes().get(attribute))
        .filter(it -> it.kind() == Attribute.Kind.TEXT)
        .map(Attribute::text)
        .filter(text -> !text.isBlank());
  }

  /** Whether a UUID can stand between the quotes of an expression. */
  private static boolean isName(String uuid) {
    return !uuid.isBlank()
        && uuid.length() <= LONGEST_NAME
        && uuid.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != ',');
  }

  /**
   * The part of a card that a claim takes.
   *
   * @param milli of its compute
   */
  record Part(int milli, int memoryMib) {
    Part plus(Part other) {
      return new Part(
          Math.min(milli + other.milli, Gpu.MOST_MEMORY_MIB),
          Math.min(memoryMib + other.memoryMib, 2 * Gpu.MOST_MEMORY_MIB));
    }
  }

  /** The part of the card that a request takes; empty when the card can never serve it. */
  Optional<Part> part(Map<String, BigDecimal> asked) {
    if (!device.shared()) {
      return hasAtLeast(asked) ? Optional.of(whole()) : Optional.empty();
    }
    var memory = portion(MEMORY, asked);
    var compute = portion(CORES, asked);
    boolean hasAll =
        asked.keySet().stream().allMatch(name -> device.capacities().containsKey(name))
            && (compute.isPresent() || !device.capacities().containsKey(CORES));
    return memory
        .filter(_ -> hasAll)
        .map(amount -> part(Optional.of(amount), compute))
        .filter(part -> part.memoryMib() >= 1);
  }

  private boolean hasAtLeast(Map<String, BigDecimal> asked) {
    return asked.entrySet().stream()
        .allMatch(
            entry -> {
              var capacity = device.capacities().get(entry.getKey());
              return capacity != null && capacity.value().compareTo(entry.getValue()) >= 0;
            });
  }

  /** The part of the card that an allocation has taken. */
  Part taken(Map<String, BigDecimal> consumed) {
    return device.shared()
        ? part(Optional.ofNullable(consumed.get(MEMORY)), Optional.ofNullable(consumed.get(CORES)))
        : whole();
  }

  private Part part(Optional<BigDecimal> memory, Optional<BigDecimal> compute) {
    int mib =
        memory.map(bytes -> clamped(bytes, MEBIBYTE, BigDecimal.ONE, gpu.memoryMib())).orElse(0);
    var cores = device.capacities().get(CORES);
    int milli =
        cores == null || compute.isEmpty()
            ? 0
            : clamped(
                compute.get(), cores.value(), BigDecimal.valueOf(Gpu.WHOLE_MILLI), Gpu.WHOLE_MILLI);
    return new Part(milli, mib);
  }

  private Part whole() {
    return new Part(Gpu.WHOLE_MILLI, gpu.memoryMib());
  }

  private Optional<BigDecimal> portion(String name, Map<String, BigDecimal> asked) {
    return Optional.ofNullable(device.capacities().get(name))
        .flatMap(capacity -> capacity.portion(Optional.ofNullable(asked.get(name))));
  }

  /** {@code amount / whole · scale}, rounded up. */
  private static int clamped(BigDecimal amount, BigDecimal whole, BigDecimal scale, int most) {
    if (whole.signum() <= 0) {
      return 0;
    }
    return amount
        .multiply(scale)
        .divide(whole, 0, RoundingMode.CEILING)
        .max(BigDecimal.ZERO)
        .min(BigDecimal.valueOf(most + 1L))
        .intValue();
  }
}
