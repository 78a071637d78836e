package io.prescale.placement.experiment;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** Orders in which requests arrive. */
public final class Arrivals {
  private Arrivals() {}

  /**
   * The requests, and random ones of them again until what they ask reaches a part of the cluster's
   * GPU; all in random order (the method of Weng et al., ATC'23). As in their simulator, a repeated
   * request counts with one of its cards only.
   *
   * @param capacityMilli of the cluster, in thousandths of a card
   * @param percent of the capacity that is asked in sum
   * @throws IllegalArgumentException when no request asks a card
   */
  public static List<GpuRequest> inflated(
      List<GpuRequest> requests, long capacityMilli, int percent, RandomGenerator random) {
    if (requests.stream().noneMatch(request -> request.shape().gpus() > 0)) {
      throw new IllegalArgumentException("no request asks a GPU: the demand cannot be raised");
    }
    var arrivals = new ArrayList<>(requests);
    long asked = requests.stream().mapToLong(Arrivals::milliOf).sum();
    for (int copy = 1; asked * 100 < capacityMilli * percent; copy++) {
      var drawn = requests.get(random.nextInt(requests.size()));
      arrivals.add(new GpuRequest(drawn.name() + "+" + copy, drawn.shape(), drawn.standing()));
      asked += milliOfCard(drawn);
    }
    Collections.shuffle(arrivals, random);
    return arrivals;
  }

  /** What a request asks of all its cards, in thousandths of a card. */
  public static long milliOf(GpuRequest request) {
    return (long) request.shape().gpus() * milliOfCard(request);
  }

  private static int milliOfCard(GpuRequest request) {
    return switch (request.shape().demand()) {
      case GpuDemand.NoGpu _ -> 0;
      case GpuDemand.WholeGpu _ -> Gpu.WHOLE_MILLI;
      case GpuDemand.Fraction fraction -> fraction.milli();
      case GpuDemand.Share share -> share.computeMilli();
      case GpuDemand.MigInstance _ ->
          throw new IllegalArgumentException(
              request.name() + " asks a MIG instance, which is no part of every card");
    };
  }
}
