package io.prescale.placement.inventory;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The annotations that report a decision to HAMi's device plugins, scheduler and monitor. All of
 * them may travel in the pod's Binding.
 */
public final class HamiAnnotations {
  /** The node of the pod's devices; an annotation and a label. */
  public static final String NODE = "hami.io/vgpu-node";

  private static final String DECIDED_AT = "hami.io/vgpu-time";
  private static final String BOUND_AT = "hami.io/bind-time";
  static final String PHASE = "hami.io/bind-phase";
  private static final String ALLOCATING = "allocating";
  private static final String ASCEND_TIME = "predicate-time";
  private static final String METAX_DEVICES = "metax-tech.com/gpu-devices-allocated";
  private static final String METAX_TIME = "metax-tech.com/predicate-time";

  private HamiAnnotations() {}

  /** The annotations of a pod that gets these devices. */
  public static Map<String, String> of(
      Family family, PodDevices devices, String node, Instant now) {
    var seconds = Long.toString(now.getEpochSecond());
    var text = devices.encode();
    var annotations = new LinkedHashMap<String, String>();
    annotations.put(NODE, node);
    annotations.put(DECIDED_AT, seconds);
    annotations.put(family.toAllocateKey(), text);
    annotations.put(family.allocatedKey(), text);
    annotations.put(PHASE, ALLOCATING);
    annotations.put(BOUND_AT, seconds);
    MigAllocations.encode(devices).ifPresent(mig -> annotations.put(MigAllocations.KEY, mig));
    if (!family.templates().isEmpty()) {
      annotations.put(family.resources().count(), ascend(family, devices));
      annotations.put(ASCEND_TIME, seconds);
    }
    if (family.equals(Families.METAX)) {
      annotations.putAll(MetaxService.annotations(devices));
      annotations.put(METAX_DEVICES, metax(devices));
      annotations.put(METAX_TIME, Long.toString(ChronoUnit.NANOS.between(Instant.EPOCH, now)));
    }
    if (family.equals(Families.CAMBRICON)) {
      annotations.putAll(CambriconService.annotations(devices));
    }
    return annotations;
  }

  /** Writes a list of {@code {"uuid":"…","compute":100,"vRam":65536}} for each container. */
  private static String metax(PodDevices devices) {
    var containers = new StringJoiner(",", "[", "]");
    for (var container : devices.containers()) {
      var list = new StringJoiner(",", "[", "]");
      for (var use : container) {
        list.add(
            "{\"uuid\":\"%s\",\"compute\":%d,\"vRam\":%d}"
                .formatted(use.uuid(), use.cores(), use.memoryMib()));
      }
      containers.add(list.toString());
    }
    return containers.toString();
  }

  /** {@code [{"UUID":"…","temp":"vir05_1c_16g"}]}; whole cards have no template. */
  private static String ascend(Family family, PodDevices devices) {
    var list = new StringJoiner(",", "[", "]");
    for (var container : devices.containers()) {
      for (var use : container) {
        var template = family.templateFor(use.memoryMib()).map(Family.Template::name);
        // UUIDs hold no quotes or control characters: RegistrationReader refuses those.
        list.add(
            template
                .map(temp -> "{\"UUID\":\"%s\",\"temp\":\"%s\"}".formatted(use.uuid(), temp))
                .orElse("{\"UUID\":\"%s\"}".formatted(use.uuid())));
      }
    }
    return list.toString();
  }

  /** Whether the device plugin has yet to give a pod its devices. */
  public static boolean isAllocating(PodFacts pod) {
    return pod.phase() == PodFacts.Phase.PENDING
        && CambriconService.isAllocating(pod)
            .orElse(ALLOCATING.equals(pod.annotations().get(PHASE)));
  }

  /**
   * Whether a device plugin that takes no lock would find two pods, because it has yet to serve the
   * other one.
   */
  public static boolean areConfused(PodFacts pod, PodFacts other) {
    return CambriconService.asks(pod) && CambriconService.asks(other) && isAllocating(other);
  }

  /** Whether anything was written for a device plugin of HAMi. */
  public static boolean isHanded(PodFacts pod) {
    return pod.annotations().containsKey(PHASE);
  }

  /**
   * The lock of a node, by which a device plugin finds the pod that it serves: {@code
   * time,namespace,pod}, and in an older form the time alone.
   *
   * @param pod {@code namespace/name}; empty in the older form
   */
  public record Lock(Instant at, Optional<Owner> pod) {
    /** The node annotation. */
    public static final String KEY = "hami.io/mutex.lock";

    private static final int PARTS = 3;

    /** The pod that a lock names. */
    public record Owner(String namespace, String name) {}

    /** Reads the annotation; empty when it is malformed. */
    public static Optional<Lock> parse(String text) {
      var parts = text.split(",", -1);
      if (parts.length != 1 && parts.length != PARTS) {
        return Optional.empty();
      }
      try {
        var at = OffsetDateTime.parse(parts[0]).toInstant();
        return Optional.of(
            new Lock(
                at,
                parts.length == PARTS
                    ? Optional.of(new Owner(parts[1], parts[2]))
                    : Optional.empty()));
      } catch (DateTimeParseException _) {
        return Optional.empty();
      }
    }

    /** The text for a pod. */
    public static String text(Instant at, PodFacts pod) {
      return "%s,%s,%s".formatted(at.truncatedTo(ChronoUnit.SECONDS), pod.namespace(), pod.name());
    }
  }
}
