package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import java.time.Duration;
import java.util.Arrays;

/**
 * The recommendations inside the stabilization windows: {@code
 * stabilizeRecommendationWithBehaviors} in Kubernetes' {@code
 * pkg/controller/podautoscaler/horizontal.go}. One sync costs O(window / sync period).
 */
final class Recommendations {

  private static final int NONE = Integer.MIN_VALUE;

  private final int upSyncs;
  private final int downSyncs;
  private final int[] ring;
  private int newest;

  Recommendations(HpaRules rules) {
    upSyncs = syncsWithin(rules.scaleUp().stabilizationWindow(), rules.syncPeriod());
    downSyncs = syncsWithin(rules.scaleDown().stabilizationWindow(), rules.syncPeriod());
    ring = new int[Math.max(1, Math.max(upSyncs, downSyncs))];
    Arrays.fill(ring, NONE);
  }

  /** Syncs that lie strictly inside a window that ends now, this one included. */
  private static int syncsWithin(Duration window, Duration syncPeriod) {
    return Math.toIntExact(Math.ceilDiv(window.toNanos(), syncPeriod.toNanos()));
  }

  /** The current replicas, moved no further than every recommendation in its window asks for. */
  int stabilize(int current, int proposed) {
    record(proposed);
    int lowestInUpWindow = proposed;
    int highestInDownWindow = proposed;
    for (int age = 1; age < ring.length; age++) {
      int earlier = ring[Math.floorMod(newest - age, ring.length)];
      if (earlier != NONE && age < upSyncs) {
        lowestInUpWindow = Math.min(lowestInUpWindow, earlier);
      }
      if (earlier != NONE && age < downSyncs) {
        highestInDownWindow = Math.max(highestInDownWindow, earlier);
      }
    }
    return Math.min(Math.max(current, lowestInUpWindow), highestInDownWindow);
  }

  void record(int recommendation) {
    newest = (newest + 1) % ring.length;
    ring[newest] = recommendation;
  }

  void recordNothing() {
    record(NONE);
  }
}
