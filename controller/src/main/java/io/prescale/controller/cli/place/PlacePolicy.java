package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.Names;
import io.prescale.controller.place.PodRow;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.BestFit;
import io.prescale.placement.preference.Policy;
import java.util.List;

/** The placement policies that can be compared, as {@code --policy} names them. */
public enum PlacePolicy {
  PRESCALE("prescale"),
  FGD("fgd"),
  BESTFIT("bestfit");

  private final String key;

  PlacePolicy(String key) {
    this.key = key;
  }

  /** Creates a placer of this policy, for one cluster and one thread. */
  public Placer placer(Fragmentation fragmentation, ClusterSnapshot cluster) {
    var linkedCards = new LinkedCards();
    var policy =
        switch (this) {
          case PRESCALE -> Policy.prescale(fragmentation, linkedCards);
          case FGD -> Policy.fgd(fragmentation);
          case BESTFIT -> Policy.bestFit(bestFit(cluster));
        };
    return new Placer(policy, linkedCards);
  }

  private static BestFit bestFit(ClusterSnapshot cluster) {
    long cpu = cluster.nodes().mapToLong(node -> node.spec().cpuMilli()).max().orElse(1);
    int gpus = cluster.nodes().mapToInt(node -> node.cards()).max().orElse(1);
    return new BestFit(Math.max(1, cpu), Math.max(1, gpus));
  }

  /** Fragmentation measured by the requests of the pods of a file. */
  public static Fragmentation fragmentation(List<PodRow> pods) {
    return new Fragmentation(
        TargetWorkload.mostFrequent(pods.stream().map(pod -> pod.request().shape())));
  }

  public String key() {
    return key;
  }

  public static PlacePolicy parse(String text) {
    return Names.find("policy", text, List.of(values()), PlacePolicy::key);
  }
}
