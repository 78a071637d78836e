package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import java.util.ArrayList;
import java.util.List;

/**
 * Cards of device plugins that register none. HAMi divides what the node offers into equal cards,
 * named after the node and their place. Where the node can give less than it has, one of them is
 * sick, and it is not known which: none is given out.
 *
 * @param infix between the name of the node and the place of the card
 * @param coresPerCard of the family's resource for compute
 */
record AllocatableCards(Family family, String infix, int coresPerCard) {
  private static final List<AllocatableCards> ALL =
      List.of(
          new AllocatableCards(Families.CAMBRICON, "-cambricon-mlu-", 100),
          new AllocatableCards(Families.MOORE_THREADS, "-mthreads-", 16));
  private static final int SHARERS = 100;
  private static final int MILLI_PER_CORE = 10;

  /** The cards of a node, of all such families; at most one more of each than a node may have. */
  static List<Gpu> of(NodeFacts node) {
    return ALL.stream().flatMap(kind -> kind.cards(node).stream()).toList();
  }

  /** The place of a card among those of its node, by its name. */
  static String place(String uuid) {
    return uuid.substring(uuid.lastIndexOf('-') + 1);
  }

  private List<Gpu> cards(NodeFacts node) {
    var resources = family.resources();
    var compute = resources.cores().orElseThrow();
    long cores = node.capacity().getOrDefault(compute, 0L);
    long memory = node.capacity().getOrDefault(resources.memory().orElseThrow(), 0L);
    boolean sound = node.allocatable().getOrDefault(compute, 0L) >= cores;
    long count = Math.min(Math.ceilDiv(Math.max(0, cores), coresPerCard), NodeSpec.MAX_GPUS + 1L);
    var cards = new ArrayList<Gpu>();
    for (int place = 0; place < count; place++) {
      long each = Math.clamp(memory / count, 0, Gpu.MOST_MEMORY_MIB / resources.memoryUnitMib());
      cards.add(
          new Gpu(
              node.name() + infix + place,
              family.word(),
              family.word(),
              (int) each * resources.memoryUnitMib(),
              coresPerCard * MILLI_PER_CORE,
              Partitioning.HAMI_CORE,
              SHARERS,
              List.of(),
              sound ? GpuHealth.UNKNOWN : GpuHealth.UNKNOWN.withState(State.CORDONED)));
    }
    return cards;
  }
}
