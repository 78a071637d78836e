package io.prescale.placement.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.NodeSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Koordinator's GPUs: the specification of a Device ({@code scheduling.koordinator.sh/v1alpha1})
 * and the annotation in which its scheduler records what a pod has. Both name cards by their minor
 * number, so either all cards of a node are read or none. The cards are only counted.
 */
final class KoordinatorDevices {
  /** A vendor that no resource names, so that none of our pods is given such a card. */
  static final String VENDOR = "Koordinator";

  static final String ALLOCATED = "scheduling.koordinator.sh/device-allocated";

  private static final String CORE = "koordinator.sh/gpu-core";
  private static final String MEMORY = "koordinator.sh/gpu-memory";
  private static final String RATIO = "koordinator.sh/gpu-memory-ratio";

  /** Resources that Koordinator gives out in whole cards, and those in percent of a card. */
  private static final Set<String> CARDS =
      Set.of("koordinator.sh/gpu.shared", "nvidia.com/gpu", "amd.com/gpu", "dcu.com/gpu");

  private static final Set<String> PERCENT_OF_CARDS =
      Set.of("koordinator.sh/gpu", CORE, RATIO, "huawei.com/npu-core");

  private static final int MOST_SHARERS = 100;
  private static final int PERCENT = 100;

  private KoordinatorDevices() {}

  /** The cards of a node in the order of their minor numbers. */
  static RegisteredCards read(String spec) {
    try {
      return new RegisteredCards(cards(spec), Map.of(), List.of());
    } catch (MalformedEntryException e) {
      return new RegisteredCards(
          List.of(),
          Map.of(),
          List.of("Koordinator's Device is left out: %s.".formatted(e.sentence())));
    }
  }

  private static List<Gpu> cards(String spec) throws MalformedEntryException {
    var cards = new TreeMap<Integer, Gpu>();
    for (var node : new Fields(json(spec)).list("devices")) {
      var device = new Fields(node);
      if (device.text("type").equals("gpu")) {
        int minor = device.integer("minor");
        if (cards.put(minor, card(device)) != null) {
          throw new MalformedEntryException("it has two GPUs with minor number " + minor);
        }
      }
    }
    if (!cards.isEmpty() && (cards.firstKey() != 0 || cards.lastKey() != cards.size() - 1)) {
      throw new MalformedEntryException(
          "its minor numbers are %s; they must start at 0 without gaps".formatted(cards.keySet()));
    }
    return List.copyOf(cards.values());
  }

  private static Gpu card(Fields device) throws MalformedEntryException {
    var memory = Quantities.mebibytes(new Fields(device.object("resources")).text(MEMORY));
    var entry =
        new CardEntry(
            device.text("id"),
            MOST_SHARERS,
            memory.orElse(0),
            PERCENT,
            VENDOR,
            OptionalInt.empty(),
            "",
            List.of(),
            device.flag("health"));
    var problem = entry.problem();
    if (problem.isPresent()) {
      throw new MalformedEntryException("of GPU %s, %s".formatted(entry.uuid(), problem.get()));
    }
    return entry.card(VENDOR);
  }

  /**
   * The shares that an annotation gives a pod, by the card's place among the cards of a node.
   *
   * @param cards of Koordinator, in the order of their minor numbers
   */
  static Map<Integer, DeviceUse> allocated(String text, List<Gpu> cards)
      throws MalformedEntryException {
    var uses = new TreeMap<Integer, DeviceUse>();
    for (var node : new Fields(json(text)).list("gpu")) {
      var gpu = new Fields(node);
      int minor = gpu.integer("minor");
      if (minor < 0 || minor >= cards.size()) {
        throw new MalformedEntryException(
            "it names GPU %d; the node has %d of Koordinator's".formatted(minor, cards.size()));
      }
      uses.put(minor, use(new Fields(gpu.object("resources")), cards.get(minor)));
    }
    return uses;
  }

  /**
   * On how many cards at most the requests of a pod may be placed.
   *
   * @param cards of Koordinator on its node
   */
  static long requested(PodFacts pod, List<Gpu> cards) {
    long largestMib = cards.stream().mapToLong(Gpu::memoryMib).max().orElse(1);
    long together = 0;
    for (var container : pod.containers()) {
      long most = 0;
      for (var asked : container.asked().entrySet()) {
        most = Math.max(most, onCards(asked.getKey(), asked.getValue(), largestMib));
      }
      together = Math.min(NodeSpec.MAX_GPUS, together + Math.min(NodeSpec.MAX_GPUS, most));
    }
    return together;
  }

  private static long onCards(String resource, long amount, long largestMib) {
    if (CARDS.contains(resource)) {
      return amount;
    }
    if (PERCENT_OF_CARDS.contains(resource)) {
      return Math.ceilDiv(amount, PERCENT);
    }
    return resource.equals(MEMORY) ? Math.ceilDiv(amount, largestMib << 20) : 0;
  }

  private static DeviceUse use(Fields resources, Gpu card) throws MalformedEntryException {
    long ratio = percent(resources, RATIO);
    var memory = Quantities.mebibytes(resources.text(MEMORY));
    long mebibytes = memory.orElse(card.memoryMib() * ratio / PERCENT);
    return new DeviceUse(
        card.uuid(),
        VENDOR,
        (int) Math.min(mebibytes, card.memoryMib()),
        (int) percent(resources, CORE));
  }

  /** Whole cards of a pod that has several may be written as 100 or more. */
  private static long percent(Fields resources, String name) throws MalformedEntryException {
    var amount = Quantities.whole(resources.text(name));
    return Math.min(amount.orElse(0), PERCENT);
  }

  private static JsonNode json(String text) throws MalformedEntryException {
    Text.refuseLong(text);
    try {
      return Optional.ofNullable(ForeignJson.tree(text)).orElse(NullNode.getInstance());
    } catch (JsonProcessingException e) {
      throw new MalformedEntryException("it is not JSON: " + Text.quoted(e.getOriginalMessage()));
    }
  }
}
