package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a node.
 *
 * @param spec with the cards that are known one by one
 * @param counted devices that are only counted, because the kubelet chooses among them: those of
 *     plain device plugins, time-sliced replicas and MIG resources, by resource
 * @param model of the counted devices as GPU feature discovery labels it
 * @param problems one sentence for each device that was left out
 */
public record NodeInventory(
    NodeSpec spec, Map<String, Long> counted, Optional<String> model, List<String> problems) {
  static final String CORDON = "hami.io/device-cordon";

  public NodeInventory {
    counted = Map.copyOf(counted);
    problems = List.copyOf(problems);
  }

  /**
   * Reads everything that is known of a node's devices; never fails.
   *
   * @param koordinator the specification of the node's Device of Koordinator, if there is one
   */
  public static NodeInventory read(NodeFacts node, Optional<String> koordinator) {
    var problems = new ArrayList<String>();
    var spec = spec(node, koordinator, problems);
    var registered = registered(node);
    var labels = GpuLabels.read(node.labels());
    if (registered.isEmpty()) {
      problems.addAll(labels.problems());
      problems.addAll(labels.contradictions(node.allocatable()));
    }
    return new NodeInventory(spec, counted(node, registered), labels.model(), problems);
  }

  /** The resources whose devices are registered one by one. */
  private static Set<String> registered(NodeFacts node) {
    return Families.ALL.stream()
        .filter(family -> node.annotations().containsKey(family.registerKey()))
        .map(family -> family.resources().count())
        .collect(Collectors.toSet());
  }

  private static NodeSpec spec(
      NodeFacts node, Optional<String> koordinator, List<String> problems) {
    var cards = new ArrayList<Gpu>();
    var numa = new HashMap<String, Integer>();
    for (var family : Families.ALL) {
      var text = node.annotations().get(family.registerKey());
      if (text != null) {
        var read = RegistrationReader.read(family, text);
        problems.addAll(read.problems());
        numa.putAll(read.numa());
        add(cards, read.cards(), isServed(node, family, problems), problems);
      }
    }
    add(cards, AllocatableCards.of(node), true, problems);
    koordinator.ifPresent(
        spec -> {
          var read = KoordinatorDevices.read(spec);
          problems.addAll(read.problems());
          add(cards, read.cards(), true, problems);
        });
    cordon(node, cards, problems);
    var links = links(node, cards, problems);
    return new NodeSpec(
        node.name(),
        0,
        0,
        cards,
        links,
        numa(cards, numa, links),
        node.position(),
        node.images(),
        readiness(node));
  }

  /** A copy with other cards and problems. */
  public NodeInventory with(List<Gpu> cards, List<String> newProblems) {
    return new NodeInventory(spec.withGpus(cards), counted, model, newProblems);
  }

  private static void add(List<Gpu> cards, List<Gpu> more, boolean served, List<String> problems) {
    var uuids = new HashSet<String>();
    cards.forEach(card -> uuids.add(card.uuid()));
    for (var card : more) {
      if (cards.size() == NodeSpec.MAX_GPUS) {
        problems.add(
            "card %s is left out: a node has at most %d cards."
                .formatted(card.uuid(), NodeSpec.MAX_GPUS));
      } else if (!uuids.add(card.uuid())) {
        problems.add("card %s is left out: two families register it.".formatted(card.uuid()));
      } else if (served) {
        if (card.health().state() == GpuHealth.State.UNHEALTHY) {
          problems.add(
              "card %s is not used: its node registers it as sick.".formatted(card.uuid()));
        }
        cards.add(card);
      } else {
        cards.add(with(card, GpuHealth.State.UNHEALTHY));
      }
    }
  }

  /** Whether the kubelet offers devices of a card's family, so that its plugin is there. */
  public static boolean isServed(NodeFacts node, Gpu card) {
    return Families.ALL.stream()
        .filter(family -> family.word().equals(card.vendor()))
        .anyMatch(family -> isServed(node, family));
  }

  private static boolean isServed(NodeFacts node, Family family) {
    return node.allocatable().getOrDefault(family.resources().count(), 0L) > 0;
  }

  /** A registration outlives its device plugin; then the kubelet gives none of its devices. */
  private static boolean isServed(NodeFacts node, Family family, List<String> problems) {
    if (isServed(node, family)) {
      return true;
    }
    problems.add(
        "%s is registered, but the kubelet offers no %s: the device plugin is gone, so its cards are not used."
            .formatted(family.registerKey(), family.resources().count()));
    return false;
  }

  private static void cordon(NodeFacts node, List<Gpu> cards, List<String> problems) {
    var text = node.annotations().getOrDefault(CORDON, "");
    for (var part : text.split(",", -1)) {
      var uuid = part.strip();
      if (!uuid.isEmpty() && !cordon(cards, uuid)) {
        problems.add(
            "%s names %s, which the node does not have.".formatted(CORDON, Text.quoted(uuid)));
      }
    }
  }

  private static boolean cordon(List<Gpu> cards, String uuid) {
    for (int card = 0; card < cards.size(); card++) {
      if (cards.get(card).uuid().equals(uuid)) {
        cards.set(card, with(cards.get(card), GpuHealth.State.CORDONED));
        return true;
      }
    }
    return false;
  }

  private static Gpu with(Gpu card, GpuHealth.State state) {
    return card.health().state() == GpuHealth.State.UNHEALTHY ? card : card.withState(state);
  }

  private static Optional<LinkMatrix> links(
      NodeFacts node, List<Gpu> cards, List<String> problems) {
    var text = node.annotations().get(LinkScores.KEY);
    if (text == null || cards.isEmpty()) {
      return cards.size() == KnownMachines.CARDS && cards.stream().allMatch(NodeInventory::isKunlun)
          ? Optional.of(KnownMachines.p800())
          : Optional.empty();
    }
    try {
      return Optional.of(LinkScores.read(cards, text));
    } catch (MalformedEntryException e) {
      problems.add("%s is not used: %s.".formatted(LinkScores.KEY, e.sentence()));
      return Optional.empty();
    }
  }

  private static boolean isKunlun(Gpu card) {
    return card.vendor().equals(Families.KUNLUN.word());
  }

  /**
   * Plugins write 0 where they do not know, too: one node for all cards says nothing where links
   * are known, and is believed where they are not, as HAMi does.
   */
  private static Optional<LinkMatrix> numa(
      List<Gpu> cards, Map<String, Integer> nodes, Optional<LinkMatrix> links) {
    var stated = cards.stream().map(card -> number(nodes.get(card.uuid()))).toList();
    long different = stated.stream().flatMapToInt(OptionalInt::stream).distinct().count();
    return different == 0 || (different == 1 && links.isPresent())
        ? Optional.empty()
        : Optional.of(LinkMatrix.ofNumaNodes(stated, links));
  }

  private static OptionalInt number(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private static Readiness readiness(NodeFacts node) {
    if (node.cordoned()) {
      return Readiness.CORDONED;
    }
    return node.ready() ? Readiness.READY : Readiness.NOT_READY;
  }

  private static Map<String, Long> counted(NodeFacts node, Set<String> registered) {
    var counted = new TreeMap<String, Long>();
    node.allocatable()
        .forEach(
            (resource, amount) -> {
              if (isCounted(resource) && !registered.contains(resource)) {
                counted.put(resource, amount);
              }
            });
    return counted;
  }

  /** Resources of device plugins that only report a number. */
  public static boolean isCounted(String resource) {
    return resource.equals("nvidia.com/gpu")
        || resource.equals("nvidia.com/gpu.shared")
        || resource.toLowerCase(Locale.ROOT).startsWith("nvidia.com/mig-");
  }
}
