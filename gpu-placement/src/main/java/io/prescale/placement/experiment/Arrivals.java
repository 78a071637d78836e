package io.prescale.placement.experiment;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** Generates sequences of arriving requests. */
public final class Arrivals {
  private Arrivals() {}

  /**
   * All requests, plus random repetitions of them until the GPU requested reaches a share of the
   * cluster's, in random order (the method of Weng et al., ATC'23). As in their simulator, only one
   * card of a repeated request is counted.
   *
   * @param capacityMilli capacity of the cluster, in thousandths of a card
   * @param percent total of the requests, in percent of the capacity
   * @throws IllegalArgumentException when no request demands compute of a card
   */
  public static List<GpuRequest> inflated(
      List<GpuRequest> requests, long capacityMilli, int percent, RandomGenerator random) {
    if (requests.stream().noneMatch(request -> milliOf(request) > 0)) {
      throw new IllegalArgumentException(
          "no request demands compute of a GPU, so the load cannot be raised");
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

  /** The compute that a request demands on all its cards, in thousandths of a card. */
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
              request.name() + " demands a MIG instance, whose share differs between cards");
    };
  }
}
