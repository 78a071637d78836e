package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.inventory.PodFacts.Container;
import java.util.Optional;

/**
 * What a container asks of each of its cards; a percentage of 0 means that none was given.
 *
 * @param cards at least one
 */
record ContainerDemand(int cards, long memoryMib, long percentage, long cores) {
  private static final int WHOLE_PERCENT = 100;
  private static final int MILLI_PER_PERCENT = 10;

  boolean isLike(ContainerDemand other) {
    return memoryMib == other.memoryMib && percentage == other.percentage && cores == other.cores;
  }

  boolean isPlain() {
    return memoryMib == 0 && percentage == 0 && cores == 0;
  }

  /**
   * What a container asks of a family's cards; empty when it asks for none.
   *
   * @throws MalformedEntryException for amounts that no card can have
   */
  static Optional<ContainerDemand> of(Container container, Family family)
      throws MalformedEntryException {
    var resources = family.resources();
    if (container.asked().keySet().stream()
        .noneMatch(name -> Families.offering(name).filter(family::equals).isPresent())) {
      return Optional.empty();
    }
    // HAMi's webhook adds one card to a request for memory alone; it may not be installed.
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
          within(
                  container,
                  resources.memory().get(),
                  Gpu.MOST_MEMORY_MIB / resources.memoryUnitMib())
              * resources.memoryUnitMib();
    }
    long percentage =
        resources.memoryPercentage().isPresent()
            ? within(container, resources.memoryPercentage().get(), WHOLE_PERCENT)
            : 0;
    return Optional.of(
        new ContainerDemand(
            Math.toIntExact(cards), memory, percentage, cores(container, resources, cards)));
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

  /**
   * Converts the demand to the model of placement.
   *
   * @param podCards of all its containers
   * @throws MalformedEntryException for what the family cannot give
   */
  GpuDemand ofCard(Family family, int podCards) throws MalformedEntryException {
    if (!family.templates().isEmpty()) {
      return cut(family, podCards);
    }
    if (percentage > 0 && memoryMib == 0) {
      return fraction();
    }
    return memoryMib == 0
        ? GpuDemand.WholeGpu.ANY
        : new GpuDemand.Share(
            Math.toIntExact(cores * MILLI_PER_PERCENT), Math.toIntExact(memoryMib));
  }

  private GpuDemand fraction() throws MalformedEntryException {
    if (percentage == WHOLE_PERCENT) {
      return GpuDemand.WholeGpu.ANY;
    }
    if (cores != 0 && cores != percentage) {
      throw new MalformedEntryException(
          "%d %% of the memory with %d %% of the compute; ask for memory in MiB instead"
              .formatted(percentage, cores));
    }
    return new GpuDemand.Fraction(Math.toIntExact(percentage * MILLI_PER_PERCENT));
  }

  private GpuDemand cut(Family family, int podCards) throws MalformedEntryException {
    if (cores != 0) {
      throw new MalformedEntryException(
          "%s is cut by templates of memory; leave its cores out".formatted(family.word()));
    }
    var template =
        memoryMib == 0 ? Optional.<Family.Template>empty() : family.templateFor(memoryMib);
    if (template.isPresent() && podCards > 1) {
      throw new MalformedEntryException(
          "%d cards of %s with %d MiB each; only one card can be cut for a pod"
              .formatted(podCards, family.word(), memoryMib));
    }
    return template
        .<GpuDemand>map(s -> new GpuDemand.Share(0, s.memoryMib()))
        .orElse(new GpuDemand.WholeGpu(Math.toIntExact(memoryMib)));
  }
}
