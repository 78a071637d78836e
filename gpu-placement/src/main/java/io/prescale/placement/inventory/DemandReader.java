package io.prescale.placement.inventory;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.Family.Decided;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads what a pod asks for from its resources and HAMi's annotations. */
public final class DemandReader {
  private static final String MODE = "nvidia.com/vgpu-mode";

  /** The annotations of pods that are read besides those of {@link Family}. */
  static final Set<String> KEYS =
      Stream.concat(PlacementWords.KEYS.stream(), Stream.of(MODE)).collect(toUnmodifiableSet());

  /** No card has this model. */
  private static final Set<String> NONE = Set.of("");

  private final Function<Family, Set<String>> models;
  private final BiFunction<PodFacts, Set<String>, Optional<Set<String>>> permitted;

  /**
   * A reader of a cluster.
   *
   * @param models the models of a family's cards in the cluster; annotations name parts of them
   * @param permitted of a family's models those that a pod may have; empty for any
   */
  public DemandReader(
      Function<Family, Set<String>> models,
      BiFunction<PodFacts, Set<String>, Optional<Set<String>>> permitted) {
    this.models = models;
    this.permitted = permitted;
  }

  /** A reader where every pod may have every card. */
  public DemandReader(Function<Family, Set<String>> models) {
    this(models, (_, _) -> Optional.empty());
  }

  /** What the pod asks for; never fails. */
  public PodDemand read(PodFacts pod) {
    var families = families(pod);
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
      if (family.decided() instanceof Decided.Nothing it) {
        return new PodDemand.Refused(it.sentence(family.word()));
      }
      var unserved =
          family.equals(Families.CAMBRICON)
              ? CambriconService.refusal(pod)
              : Optional.<String>empty();
      return unserved.isPresent()
          ? new PodDemand.Refused(unserved.get())
          : cards(pod, family, units);
    } catch (MalformedEntryException e) {
      return new PodDemand.Refused(e.sentence());
    }
  }

  /** The families that the pod asks for, in the order of all families. */
  private static List<Family> families(PodFacts pod) {
    var asked = new HashSet<Family>();
    for (var container : pod.containers()) {
      for (var resource : container.asked().entrySet()) {
        if (resource.getValue() != 0) {
          Families.offering(resource.getKey()).ifPresent(asked::add);
        }
      }
    }
    return asked.size() < 2
        ? List.copyOf(asked)
        : Families.ALL.stream().filter(asked::contains).toList();
  }

  /** Units of resources that plain device plugins serve. */
  static Map<String, Long> units(PodFacts pod) {
    var units = pod.asked();
    units.keySet().removeIf(resource -> !NodeInventory.isCounted(resource));
    return units;
  }

  /** The sum of two amounts that are not negative, at most the largest long. */
  public static long capped(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  private PodDemand cards(PodFacts pod, Family family, Map<String, Long> units)
      throws MalformedEntryException {
    var perContainer = new ArrayList<Integer>();
    Optional<ContainerDemand> each = Optional.empty();
    for (var container : pod.containers()) {
      var asked = ContainerDemand.of(container, family);
      perContainer.add(asked.map(ContainerDemand::cards).orElse(0));
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
      ContainerDemand each)
      throws MalformedEntryException {
    if (family.decided() instanceof Decided.WholeCards && !each.isPlain()) {
      throw new MalformedEntryException(
          "shares of %s are not decided here; ask for whole cards by their number"
              .formatted(family.word()));
    }
    var demand = each.ofCard(family, cards);
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
            .withPacking(PlacementWords.packing(pod))
            .withLinks(PlacementWords.links(pod, perContainer));
    return new PodDemand.Cards(
        family,
        shape,
        perContainer,
        before(pod),
        Math.toIntExact(each.cores()),
        each.isPlain() ? units : Map.of());
  }

  /** The cards that the pod has at one time at most. */
  private static int total(PodFacts pod, List<Integer> perContainer)
      throws MalformedEntryException {
    int cards = PodDemand.cards(perContainer, before(pod));
    if (cards > NodeSpec.MAX_GPUS) {
      throw new MalformedEntryException(
          "the pod asks for %d cards; a node has at most %d".formatted(cards, NodeSpec.MAX_GPUS));
    }
    return cards;
  }

  /** The places of init containers among all containers. */
  private static Set<Integer> before(PodFacts pod) {
    var before = new HashSet<Integer>();
    for (int place = 0; place < pod.containers().size(); place++) {
      if (pod.containers().get(place).init()) {
        before.add(place);
      }
    }
    return before;
  }

  private CardSelector selector(PodFacts pod, Family family) throws MalformedEntryException {
    var selection = family.selection();
    var known = models.apply(family);
    var use = names(pod, selection.useModel());
    return new CardSelector(
        Set.of(family.word()),
        accepted(use, known, permitted.apply(pod, known)),
        matching(known, names(pod, selection.avoidModel())),
        names(pod, selection.useUuid()),
        names(pod, selection.avoidUuid()),
        family.equals(Families.NVIDIA) ? modes(pod) : Set.of());
  }

  /** Names that match no card of the cluster select nothing, rather than everything. */
  private static Set<String> accepted(
      Set<String> use, Set<String> known, Optional<Set<String>> permitted) {
    if (use.isEmpty()) {
      return permitted.map(it -> it.isEmpty() ? NONE : it).orElse(Set.of());
    }
    var models = matching(permitted.orElse(known), use);
    if (models.isEmpty()) {
      return permitted.isEmpty() ? use : NONE;
    }
    return models;
  }

  /** The ways in which a card may be divided; any if none is named. */
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
}
