package io.prescale.placement.cluster;

import io.prescale.placement.topology.CardSet;
import io.prescale.placement.topology.LinkMatrix;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The description of a node, without its usage.
 *
 * @param name unique in the cluster
 * @param cpuMilli allocatable CPU in thousandths of a core
 * @param memoryMib allocatable host memory
 * @param gpus at most 16
 * @param links how the cards are linked; empty when unknown
 * @param numa which cards are of one NUMA node, and how those are linked; empty when unknown
 * @param position position in the network
 * @param images container images that are present
 * @param readiness whether it takes new pods
 */
public record NodeSpec(
    String name,
    long cpuMilli,
    long memoryMib,
    List<Gpu> gpus,
    Optional<LinkMatrix> links,
    Optional<LinkMatrix> numa,
    NodePosition position,
    Set<String> images,
    Readiness readiness) {
  public static final int MAX_GPUS = CardSet.MOST_CARDS;

  /** Whether a node takes new pods. */
  public enum Readiness {
    READY,
    NOT_READY,
    CORDONED
  }

  public NodeSpec {
    gpus = List.copyOf(gpus);
    images = Set.copyOf(images);
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a node is blank");
    }
    if (cpuMilli < 0 || memoryMib < 0) {
      throw new IllegalArgumentException(
          "node %s has %d milli CPU and %d MiB: none may be negative"
              .formatted(name, cpuMilli, memoryMib));
    }
    if (gpus.size() > MAX_GPUS) {
      throw new IllegalArgumentException(
          "node %s has %d GPUs; at most %d are supported".formatted(name, gpus.size(), MAX_GPUS));
    }
    requireAllCards("links", links, name, gpus);
    requireAllCards("NUMA nodes", numa, name, gpus);
    if (gpus.stream().map(Gpu::uuid).distinct().count() != gpus.size()) {
      throw new IllegalArgumentException("node %s has two GPUs of one UUID".formatted(name));
    }
  }

  private static void requireAllCards(
      String what, Optional<LinkMatrix> pairs, String name, List<Gpu> gpus) {
    if (pairs.isPresent() && pairs.get().cards() != gpus.size()) {
      throw new IllegalArgumentException(
          "node %s has %d GPUs and %s of %d"
              .formatted(name, gpus.size(), what, pairs.get().cards()));
    }
  }

  /** A ready node whose links, position and images are unknown. */
  public NodeSpec(String name, long cpuMilli, long memoryMib, List<Gpu> gpus) {
    this(
        name,
        cpuMilli,
        memoryMib,
        gpus,
        Optional.empty(),
        Optional.empty(),
        NodePosition.UNKNOWN,
        Set.of(),
        Readiness.READY);
  }

  public NodeSpec withGpus(List<Gpu> newGpus) {
    return new NodeSpec(
        name, cpuMilli, memoryMib, newGpus, links, numa, position, images, readiness);
  }

  public NodeSpec withLinks(LinkMatrix newLinks) {
    return new NodeSpec(
        name, cpuMilli, memoryMib, gpus, Optional.of(newLinks), numa, position, images, readiness);
  }

  public NodeSpec withNuma(LinkMatrix newNuma) {
    return new NodeSpec(
        name, cpuMilli, memoryMib, gpus, links, Optional.of(newNuma), position, images, readiness);
  }

  public NodeSpec withPosition(NodePosition newPosition) {
    return new NodeSpec(
        name, cpuMilli, memoryMib, gpus, links, numa, newPosition, images, readiness);
  }

  public NodeSpec withReadiness(Readiness newReadiness) {
    return new NodeSpec(
        name, cpuMilli, memoryMib, gpus, links, numa, position, images, newReadiness);
  }

  /**
   * The pairs of cards by which a requirement is judged: those of NUMA nodes where it is about them
   * and they are known, else links.
   */
  public Optional<LinkMatrix> pairsFor(LinkRequirement requirement) {
    return requirement.scope() == LinkRequirement.LinkScope.NUMA_NODE && numa.isPresent()
        ? numa
        : links;
  }
}
