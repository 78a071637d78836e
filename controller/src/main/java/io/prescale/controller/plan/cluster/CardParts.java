package io.prescale.controller.plan.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.extender.ClusterObjects;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.ledger.CardAmounts;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What replicas take of the cards of some nodes. */
public final class CardParts {
  private static final double MILLI = 1000;
  private static final DemandReader READER = new DemandReader(_ -> Set.of());

  private final CardAmounts amounts;

  private CardParts(CardAmounts amounts) {
    this.amounts = amounts;
  }

  /** Of these nodes. */
  public static CardParts of(List<Node> nodes) {
    return of(new ClusterObjects(List.<HasMetadata>copyOf(nodes)));
  }

  static CardParts of(ClusterObjects cluster) {
    return new CardParts(cluster.withoutPods(_ -> true).ledger().amounts());
  }

  /**
   * The cards, or parts of cards, of a replica: of each card the part that it takes of the one of
   * which it takes least, and a whole one where none is known that could serve it.
   */
  public double cards(List<Pod> replica) {
    return demands(replica).mapToLong(amounts::leastOf).sum() / MILLI;
  }

  /** Whether a replica asks for any. */
  public static boolean areAskedFor(List<Pod> replica) {
    return demands(replica)
        .anyMatch(it -> it instanceof PodDemand.Cards || it instanceof PodDemand.Counted);
  }

  /** Whether an annotation of a replica may decide which it gets, and where. */
  public static boolean dependOn(String annotation) {
    return ClusterObjects.decides(annotation);
  }

  private static Stream<PodDemand> demands(List<Pod> replica) {
    return replica.stream().map(ClusterObjects::facts).map(READER::read);
  }
}
