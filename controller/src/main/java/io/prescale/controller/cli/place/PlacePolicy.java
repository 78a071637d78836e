package io.prescale.controller.cli.place;

import io.prescale.controller.place.PodRow;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.BestFit;
import io.prescale.placement.preference.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The placement policies that can be compared, as {@code --policy} names them. */
public enum PlacePolicy {
  PRESCALE("prescale") {
    @Override
    Policy policy(Fragmentation fragmentation, LinkedCards linkedCards, ClusterSnapshot cluster) {
      return Policy.prescale(fragmentation, linkedCards);
    }
  },
  FGD("fgd") {
    @Override
    Policy policy(Fragmentation fragmentation, LinkedCards linkedCards, ClusterSnapshot cluster) {
      return Policy.fgd(fragmentation);
    }
  },
  BEST_FIT("bestfit") {
    @Override
    Policy policy(Fragmentation fragmentation, LinkedCards linkedCards, ClusterSnapshot cluster) {
      long cpu = cluster.nodes().mapToLong(node -> node.spec().cpuMilli()).max().orElse(1);
      int gpus = cluster.nodes().mapToInt(node -> node.cards()).max().orElse(1);
      return Policy.bestFit(new BestFit(Math.max(1, cpu), Math.max(1, gpus)));
    }
  };

  private final String key;

  PlacePolicy(String key) {
    this.key = key;
  }

  abstract Policy policy(
      Fragmentation fragmentation, LinkedCards linkedCards, ClusterSnapshot cluster);

  /** Creates a placer of this policy, for one cluster and one thread. */
  public Placer placer(Fragmentation fragmentation, ClusterSnapshot cluster) {
    var linkedCards = new LinkedCards();
    return new Placer(policy(fragmentation, linkedCards, cluster), linkedCards);
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
    return Arrays.stream(values())
        .filter(policy -> policy.key.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no policy %s; choose from %s".formatted(text, keys())));
  }

  private static String keys() {
    return Arrays.stream(values()).map(PlacePolicy::key).collect(Collectors.joining(", "));
  }
}
