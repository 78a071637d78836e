package io.prescale.placement.inventory;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.prescale.placement.cluster.MigSlot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The MIG instances of a pod as HAMi records them since 2.10: a JSON array in which the scheduler
 * writes {@code containerIndex}, {@code deviceIndex}, {@code gpuUUID}, {@code profile} and {@code
 * placement}, and the device plugin adds the instances that it has created. Containers are counted
 * with the init containers first, devices within their container.
 */
final class MigAllocations {
  /** The pod annotation. */
  static final String KEY = "hami.io/vgpu-mig-allocations";

  /** No instances. */
  static final MigAllocations NONE = new MigAllocations(Map.of());

  private final Map<Place, Instance> instances;

  private MigAllocations(Map<Place, Instance> instances) {
    this.instances = Map.copyOf(instances);
  }

  private record Place(int container, int device) {}

  private record Instance(String uuid, MigSlot slot) {}

  /** The annotation of a pod that gets these devices; empty when none of them is an instance. */
  static Optional<String> encode(PodDevices devices) {
    var array = JsonNodeFactory.instance.arrayNode();
    for (int container = 0; container < devices.containers().size(); container++) {
      var uses = devices.containers().get(container);
      for (int device = 0; device < uses.size(); device++) {
        var use = uses.get(device);
        if (use.mig().isPresent()) {
          var slot = use.mig().get();
          var entry = array.addObject();
          entry.put("containerIndex", container);
          entry.put("deviceIndex", device);
          entry.put("gpuUUID", use.uuid());
          entry.put("profile", slot.profile());
          entry.putObject("placement").put("start", slot.start()).put("size", slot.size());
        }
      }
    }
    return array.isEmpty() ? Optional.empty() : Optional.of(array.toString());
  }

  /** Reads the annotation of a pod; no instances when it has none. */
  static MigAllocations of(PodFacts pod) throws MalformedEntryException {
    var text = pod.annotations().getOrDefault(KEY, "");
    Text.refuseLong(text);
    if (text.isBlank()) {
      return NONE;
    }
    var instances = new HashMap<Place, Instance>();
    for (var entry : ForeignJson.array(text, Text.quoted(text) + " is not a JSON array")) {
      take(new Fields(entry), instances);
    }
    return new MigAllocations(instances);
  }

  private static void take(Fields entry, Map<Place, Instance> instances)
      throws MalformedEntryException {
    var place = new Place(entry.integer("containerIndex"), entry.integer("deviceIndex"));
    var placement = new Fields(entry.object("placement"));
    MigSlot slot;
    try {
      slot =
          new MigSlot(entry.text("profile"), placement.integer("start"), placement.integer("size"));
    } catch (IllegalArgumentException e) {
      throw new MalformedEntryException(String.valueOf(e.getMessage()));
    }
    if (instances.putIfAbsent(place, new Instance(entry.text("gpuUUID"), slot)) != null) {
      throw new MalformedEntryException(
          "device %d of container %d appears twice".formatted(place.device(), place.container()));
    }
  }

  /** The instance that a device of a container is, if it is one of this card. */
  Optional<MigSlot> slot(int container, int device, String uuid) {
    return Optional.ofNullable(instances.get(new Place(container, device)))
        .filter(instance -> instance.uuid().equals(uuid))
        .map(Instance::slot);
  }
}
