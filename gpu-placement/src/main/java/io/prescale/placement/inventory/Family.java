package io.prescale.placement.inventory;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind of device that HAMi knows, of one vendor or chip: where its cards are registered, which
 * resources pods ask for, and where a decision is written.
 *
 * @param word names the family in annotations of pods, such as {@code NVIDIA}
 * @param registerKey the node annotation in which the device plugin registers its cards. For a
 *     plugin that registers none, the name of an allocatable resource instead; see {@link
 *     AllocatableCards}
 * @param resources what containers ask for
 * @param toAllocateKey the pod annotation that the device plugin consumes
 * @param allocatedKey the pod annotation that stays as the record
 * @param selection the pod annotations that restrict the choice
 * @param templates the only memory sizes below a whole card; empty when any is possible
 * @param decided what Prescale decides; the rest is only read
 */
public record Family(
    String word,
    String registerKey,
    Resources resources,
    String toAllocateKey,
    String allocatedKey,
    Selection selection,
    List<Template> templates,
    Decided decided) {

  /** What Prescale decides about a family. */
  public sealed interface Decided {
    /** Pods are refused; {@code because} is a clause. */
    record Nothing(String because) implements Decided {
      String sentence(String word) {
        return "%s is not given out here, because %s; use its own scheduler"
            .formatted(word, because);
      }
    }

    /** Not shares, which have rules of their own. */
    record WholeCards() implements Decided {}

    /** All that pods may ask for. */
    record SharesAndCards() implements Decided {}
  }

  public Family {
    templates = List.copyOf(templates);
  }

  /**
   * Names of extended resources; those that a family lacks are empty.
   *
   * @param count how many cards
   * @param memory of each
   * @param memoryPercentage of each
   * @param cores percent of the compute of each
   * @param memoryUnitMib what 1 of {@code memory} means
   * @param unsaidCores the cores of a pod that asks for none; 0 for no limit
   */
  public record Resources(
      String count,
      Optional<String> memory,
      Optional<String> memoryPercentage,
      Optional<String> cores,
      int memoryUnitMib,
      int unsaidCores) {

    /** A number of cards, and memory and compute of each. */
    static Resources of(String count, String memory, String cores, int memoryUnitMib) {
      return new Resources(
          count, Optional.of(memory), Optional.empty(), Optional.of(cores), memoryUnitMib, 0);
    }

    /** All of them. */
    Set<String> names() {
      var names = new HashSet<String>();
      names.add(count);
      memory.ifPresent(names::add);
      memoryPercentage.ifPresent(names::add);
      cores.ifPresent(names::add);
      return names;
    }
  }

  /** Annotations that name models and UUIDs to use or to avoid; empty where there is none. */
  public record Selection(
      Optional<String> useModel,
      Optional<String> avoidModel,
      Optional<String> useUuid,
      Optional<String> avoidUuid) {

    static Selection of(String useModel, String avoidModel, String useUuid, String avoidUuid) {
      return new Selection(
          Optional.of(useModel),
          Optional.of(avoidModel),
          Optional.of(useUuid),
          Optional.of(avoidUuid));
    }

    static Selection ofUuids(String use, String avoid) {
      return new Selection(
          Optional.empty(), Optional.empty(), Optional.of(use), Optional.of(avoid));
    }

    /** Those that there are. */
    List<String> keys() {
      return Stream.of(useModel, avoidModel, useUuid, avoidUuid).flatMap(Optional::stream).toList();
    }
  }

  /** A template into which a card can be cut, ascending by memory. */
  public record Template(String name, int memoryMib) {}

  /** The least template that holds so much; empty when it takes a whole card. */
  public Optional<Template> templateFor(long memoryMib) {
    return templates.stream().filter(template -> memoryMib <= template.memoryMib()).findFirst();
  }
}
