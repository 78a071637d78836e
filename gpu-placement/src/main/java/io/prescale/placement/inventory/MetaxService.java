package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuDemand;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The classes of service of Metax' sGPUs. Shares of one card are of one class, which an idle card
 * takes from the first of them; a whole card has none. Pods are of the class best-effort unless
 * they say otherwise, and only those are decided here.
 */
final class MetaxService {
  private static final String CLASS = "metax-tech.com/sgpu-qos-policy";
  private static final String APPLICATION = "metax-tech.com/sgpu-app-class";
  private static final String BEST_EFFORT = "best-effort";

  /** The annotations of pods that are read. */
  static final Set<String> KEYS = Set.of(CLASS, APPLICATION);

  private static final int WHOLE_PERCENT = 100;

  private MetaxService() {}

  /** How many pods may share a card of a class; only one unless the class is best-effort. */
  static long sharers(String registeredClass, long registered) {
    return registeredClass.isEmpty() || registeredClass.equals(BEST_EFFORT)
        ? registered
        : Math.min(registered, 1);
  }

  /**
   * Why a pod's demand cannot be decided; empty when it can.
   *
   * @param cores percent of the compute that it asks of each card
   */
  static Optional<String> refusal(PodFacts pod, GpuDemand demand, long cores) {
    var application = pod.annotations().get(APPLICATION);
    if (application != null) {
      return Optional.of(
          "%s is %s; pods of application classes are not decided here"
              .formatted(APPLICATION, Text.quoted(application)));
    }
    var service = pod.annotations().getOrDefault(CLASS, BEST_EFFORT);
    boolean whole = demand instanceof GpuDemand.WholeGpu && cores == WHOLE_PERCENT;
    return whole || service.equals(BEST_EFFORT)
        ? Optional.empty()
        : Optional.of(
            "%s is %s; of shares only those of the class best-effort are decided here"
                .formatted(CLASS, Text.quoted(service)));
  }

  /** The annotation of the class for a pod with shares, unless a webhook has set it. */
  static Map<String, String> annotations(PodDevices devices) {
    boolean shares =
        devices.containers().stream()
            .flatMap(container -> container.stream())
            .anyMatch(use -> use.cores() < WHOLE_PERCENT);
    return shares ? Map.of(CLASS, BEST_EFFORT) : Map.of();
  }
}
