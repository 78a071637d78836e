package io.prescale.controller.inventory;

import io.prescale.controller.inventory.Family.Decided;
import io.prescale.controller.inventory.PodFacts.Container;
import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads what a pod asks from its resources and annotations (HAMi's, gpu-placement's model). */
public final class DemandReader {
  private static final String NODE_POLICY = "hami.io/node-scheduler-policy";
  private static final String CARD_POLICY = "hami.io/gpu-scheduler-policy";
  private static final String MODE = "nvidia.com/vgpu-mode";
  private static final int WHOLE_PERCENT = 100;
  private static final int MILLI_PER_PERCENT = 10;
  private static final long MOST_MEMORY_MIB = 1 << 22;

  private final Function<Family, Set<String>> models;

  /**
   * @param models the models of a family's cards that are in the cluster; annotations name parts of
   *     them
   */
  public DemandReader(Function<Family, Set<String>> models) {
    this.models = models;
  }

  /** What the pod asks; never fails. */
  public PodDemand read(PodFacts pod) {
    var families =
        Families.ALL.stream().filter(family -> asksFor(pod, family.resources())).toList();
    var units = units(pod);
    if (families.size() > 1) {
      return new PodDemand.Refused(
          "the pod asks for cards of %s and %s; ask for one kind"
              .formatted(families.get(0).word(), families.get(1).word()));
    }
    if (families.isEmpty()) {
      return units.isEmpty() ? new PodDemand.None() : new PodDemand.Counted(units);
    }
    var family = families.getFirst();
    if (units.keySet().stream().anyMatch(unit -> !unit.equals(family.resources().count()))) {
      return new PodDemand.Refused(
          "the pod asks for %s beside %s; ask for one kind"
              .formatted(family.resources().count(), units.keySet()));
    }
    try {
      return family.decided() == Decided.NOTHING
          ? new PodDemand.Refused(
              "%s is read and not decided here; use its own scheduler".formatted(family.word()))
          : cards(pod, family, units);
    } catch (MalformedEntryException e) {
      return new PodDemand.Refused(e.sentence());
    }
  }

  private static boolean asksFor(PodFacts pod, Family.Resources resources) {
    return pod.containers().stream()
        .flatMap(container -> container.asked().entrySet().stream())
        .anyMatch(
            asked ->
                asked.getValue() != 0
                    && (asked.getKey().equals(resources.count())
                        || isPart(resources, asked.getKey())));
  }

  private static boolean isPart(Family.Resources resources, String name) {
    return Stream.of(resources.memory(), resources.memoryPercentage(), resources.cores())
        .flatMap(Optional::stream)
        .anyMatch(name::equals);
  }

  /** Units of resources that plain device plugins serve; init containers run before the others. */
  static Map<String, Long> units(PodFacts pod) {
    var together = new TreeMap<String, Long>();
    var before = new TreeMap<String, Long>();
    for (var container : pod.containers()) {
      container
          .asked()
          .forEach(
              (resource, amount) -> {
                if (amount > 0 && NodeInventory.isCounted(resource)) {
                  if (container.init()) {
                    before.merge(resource, amount, Math::max);
                  } else {
                    together.merge(resource, amount, DemandReader::capped);
                  }
                }
              });
    }
    before.forEach((resource, amount) -> together.merge(resource, amount, Math::max));
    return together;
  }

  private static Long capped(Long a, Long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  private PodDemand cards(PodFacts pod, Family family, Map<String, Long> units)
      throws MalformedEntryException {
    var perContainer = new ArrayList<Integer>();
    Optional<Each> each = Optional.empty();
    for (var container : pod.containers()) {
      var asked = each(container, family);
      perContainer.add(asked.map(Each::cards).orElse(0));
      if (asked.isEmpty()) {
        continue;
      }
      if (each.isPresent() && !each.get().isLike(asked.get())) {
        throw new MalformedEntryException(
            "containers ask for cards of different size; make them equal or split the pod");
      }
      each = asked;
    }
    int cards = total(pod, perContainer);
    if (each.isEmpty() || cards == 0) {
      return new PodDemand.None();
    }
    return cards(pod, family, units, perContainer, cards, each.get());
  }

  private PodDemand cards(
      PodFacts pod,
      Family family,
      Map<String, Long> units,
      List<Integer> perContainer,
      int cards,
      Each each)
      throws MalformedEntryException {
    if (family.decided() == Decided.WHOLE_CARDS && !each.isPlain()) {
      throw new MalformedEntryException(
          "shares of %s are not decided here; ask for whole cards by their number"
              .formatted(family.word()));
    }
    var demand = demand(family, each, cards);
    var refusal =
        family.equals(Families.METAX)
            ? MetaxService.refusal(pod, demand, each.cores())
            : Optional.<String>empty();
    if (refusal.isPresent()) {
      return new PodDemand.Refused(refusal.get());
    }
    var shape =
        RequestShape.of(cards, demand)
            .withCards(selector(pod, family))
            .withPacking(packing(pod))
            .withLinks(links(pod));
    return new PodDemand.Cards(
        family,
        shape,
        perContainer,
        before(pod),
        Math.toIntExact(each.cores()),
        each.isPlain() ? units : Map.of());
  }

  /** Those of the containers that stay, or of an init container that has more. */
  private static int total(PodFacts pod, List<Integer> perContainer)
      throws MalformedEntryException {
    int cards = PodDemand.cards(perContainer, before(pod));
    if (cards > NodeSpec.MAX_GPUS) {
      throw new MalformedEntryException(
          "the pod asks for %d cards; a node has at most %d".formatted(cards, NodeSpec.MAX_GPUS));
    }
    return cards;
  }

  /** The places of init containers among all. */
  private static Set<Integer> before(PodFacts pod) {
    var before = new HashSet<Integer>();
    for (int place = 0; place < pod.containers().size(); place++) {
      if (pod.containers().get(place).init()) {
        before.add(place);
      }
    }
    return before;
  }

  /** What a container asks of each of its cards; percentages of 0 mean that nothing was said. */
  private record Each(int cards, long memoryMib, long percentage, long cores) {
    boolean isLike(Each other) {
      return memoryMib == other.memoryMib && percentage == other.percentage && cores == other.cores;
    }

    boolean isPlain() {
      return memoryMib == 0 && percentage == 0 && cores == 0;
    }
  }

  private static Optional<Each> each(Container container, Family family)
      throws MalformedEntryException {
    var resources = family.resources();
    boolean asksParts =
        container.asked().keySet().stream().anyMatch(name -> isPart(resources, name));
    if (!container.asked().containsKey(resources.count()) && !asksParts) {
      return Optional.empty();
    }
    // HAMi's webhook gives one card to whoever asks for memory alone; it may not be installed.
    long cards =
        container.asked().containsKey(resources.count())
            ? within(container, resources.count(), NodeSpec.MAX_GPUS)
            : 1;
    if (cards == 0) {
      return Optional.empty();
    }
    long memory = 0;
    if (resources.memory().isPresent()) {
      memory =
          within(container, resources.memory().get(), MOST_MEMORY_MIB / resources.memoryUnitMib())
              * resources.memoryUnitMib();
    }
    long percentage =
        resources.memoryPercentage().isPresent()
            ? within(container, resources.memoryPercentage().get(), WHOLE_PERCENT)
            : 0;
    return Optional.of(
        new Each(Math.toIntExact(cards), memory, percentage, cores(container, resources, cards)));
  }

  /** Iluvatar's webhook multiplies by the number of cards. */
  private static long cores(Container container, Family.Resources resources, long cards)
      throws MalformedEntryException {
    if (resources.cores().isEmpty()) {
      return 0;
    }
    var name = resources.cores().get();
    if (container.asked(name) == cards * WHOLE_PERCENT) {
      return WHOLE_PERCENT;
    }
    long asked = within(container, name, WHOLE_PERCENT);
    return asked == 0 ? resources.unsaidCores() : asked;
  }

  private static long within(Container container, String resource, long most)
      throws MalformedEntryException {
    long amount = container.asked(resource);
    if (amount < 0 || amount > most) {
      throw new MalformedEntryException(
          "container %s asks for %d of %s; ask for 0 to %d"
              .formatted(container.name(), amount, resource, most));
    }
    return amount;
  }

  private static GpuDemand demand(Family family, Each each, int cards)
      throws MalformedEntryException {
    if (!family.slices().isEmpty()) {
      return slice(family, each, cards);
    }
    if (each.percentage() > 0 && each.memoryMib() == 0) {
      return fraction(each);
    }
    return each.memoryMib() == 0
        ? GpuDemand.WholeGpu.ANY
        : new GpuDemand.Share(
            Math.toIntExact(each.cores() * MILLI_PER_PERCENT), Math.toIntExact(each.memoryMib()));
  }

  private static GpuDemand fraction(Each each) throws MalformedEntryException {
    if (each.percentage() == WHOLE_PERCENT) {
      return GpuDemand.WholeGpu.ANY;
    }
    if (each.cores() != 0 && each.cores() != each.percentage()) {
      throw new MalformedEntryException(
          "%d %% of the memory with %d %% of the compute; ask for memory in MiB instead"
              .formatted(each.percentage(), each.cores()));
    }
    return new GpuDemand.Fraction(Math.toIntExact(each.percentage() * MILLI_PER_PERCENT));
  }

  private static GpuDemand slice(Family family, Each each, int cards)
      throws MalformedEntryException {
    if (each.cores() != 0) {
      throw new MalformedEntryException(
          "%s is cut by templates of memory; leave its cores out".formatted(family.word()));
    }
    var slice =
        each.memoryMib() == 0 ? Optional.<Family.Slice>empty() : family.sliceFor(each.memoryMib());
    if (slice.isPresent() && cards > 1) {
      throw new MalformedEntryException(
          "%d cards of %s with %d MiB each; only one card can be cut for a pod"
              .formatted(cards, family.word(), each.memoryMib()));
    }
    return slice
        .<GpuDemand>map(s -> new GpuDemand.Share(0, s.memoryMib()))
        .orElse(new GpuDemand.WholeGpu(Math.toIntExact(each.memoryMib())));
  }

  private CardSelector selector(PodFacts pod, Family family) throws MalformedEntryException {
    var selection = family.selection();
    var known = models.apply(family);
    var use = names(pod, selection.useModel());
    var models = use.isEmpty() ? Set.<String>of() : matching(known, use);
    return new CardSelector(
            Set.of(family.word()),
            // Names of which the cluster has none match nothing, rather than everything.
            models.isEmpty() ? use : models,
            matching(known, names(pod, selection.avoidModel())),
            names(pod, selection.useUuid()),
            names(pod, selection.avoidUuid()))
        .withPartitionings(family.equals(Families.NVIDIA) ? modes(pod) : Set.of());
  }

  /** The ways in which a card may be divided; any when none is named. */
  private static Set<Partitioning> modes(PodFacts pod) throws MalformedEntryException {
    var modes = new HashSet<Partitioning>();
    for (var word : names(pod, Optional.of(MODE))) {
      var mode = CardEntry.MODES.get(word);
      if (mode == null) {
        throw new MalformedEntryException(
            "%s is %s; give hami-core, mig or mps".formatted(MODE, Text.quoted(word)));
      }
      modes.add(mode);
    }
    return modes;
  }

  /** HAMi takes a name as a part of a model, in any case. */
  private static Set<String> matching(Set<String> models, Set<String> names) {
    var matching = new HashSet<String>();
    for (var model : models) {
      var upper = model.toUpperCase(Locale.ROOT);
      if (names.stream().anyMatch(name -> upper.contains(name.toUpperCase(Locale.ROOT)))) {
        matching.add(model);
      }
    }
    return matching;
  }

  private static Set<String> names(PodFacts pod, Optional<String> key) {
    var names = new HashSet<String>();
    for (var part : key.map(k -> pod.annotations().getOrDefault(k, "")).orElse("").split(",", -1)) {
      if (!part.isBlank()) {
        names.add(part.strip());
      }
    }
    return names;
  }

  private static PackingPolicy packing(PodFacts pod) {
    return new PackingPolicy(direction(pod, NODE_POLICY), direction(pod, CARD_POLICY));
  }

  private static Direction direction(PodFacts pod, String key) {
    for (var word : pod.annotations().getOrDefault(key, "").split(",", -1)) {
      switch (word.strip()) {
        case "binpack" -> {
          return Direction.BINPACK;
        }
        case "spread" -> {
          return Direction.SPREAD;
        }
        default -> {
          // Another of HAMi's policies, or none.
        }
      }
    }
    return Direction.DEFAULT;
  }

  private static LinkRequirement links(PodFacts pod) {
    return pod.annotations().getOrDefault(CARD_POLICY, "").contains("topology-aware")
        ? LinkRequirement.preferred()
        : LinkRequirement.NONE;
  }
}
