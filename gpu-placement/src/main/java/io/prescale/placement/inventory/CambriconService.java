package io.prescale.placement.inventory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What Cambricon's device plugin reads of a pod in its mode {@code dynamic-smlu}
 * (cambricon-k8s-device-plugin, {@code pkg/mlu/podutils.go}). It serves the one pending pod of its
 * node that is not assigned yet, and fails when there are two; it is asked for memory and compute
 * alone, and gives one container a share of one card.
 */
final class CambriconService {
  /** What it reads and sets, spelled so. */
  private static final String ASSIGNED = "CAMBRICON_DSMLU_ASSIGHED";

  /** What HAMi writes since its version 2.8. */
  private static final String ASSIGNED_IN_HAMI = "CAMBRICON_DSMLU_ASSIGNED";

  private static final String PROFILE = "CAMBRICON_DSMLU_PROFILE";
  private static final Set<String> NOT_YET = Set.of("false");

  /** The annotations of pods that are read. */
  static final Set<String> KEYS = Set.of(ASSIGNED, ASSIGNED_IN_HAMI);

  private CambriconService() {}

  /**
   * Why a pod's demand cannot be served; empty when it can.
   *
   * @param perContainer cards of each container
   * @param each what those ask of a card
   */
  static Optional<String> refusal(PodFacts pod, List<Integer> perContainer, ContainerDemand each) {
    int cards = perContainer.stream().mapToInt(Integer::intValue).sum();
    if (cards != 1 || pod.containers().get(perContainer.indexOf(1)).init()) {
      return Optional.of(
          "the device plugin of MLU gives one container of a pod one card, and no init container;"
              + " ask for one card in one container");
    }
    var resources = Families.CAMBRICON.resources();
    return each.memoryMib() > 0 && each.cores() > 0
        ? Optional.empty()
        : Optional.of(
            "the device plugin of MLU gives memory and compute; ask for both, %s and %s"
                .formatted(resources.memory().orElseThrow(), resources.cores().orElseThrow()));
  }

  /** The annotations by which the device plugin finds a pod, and its card by the slot. */
  static Map<String, String> annotations(PodDevices devices) {
    var use = devices.containers().stream().flatMap(List::stream).findFirst().orElseThrow();
    var profile =
        "%s_%d_%d"
            .formatted(
                AllocatableCards.place(use.uuid()),
                use.cores(),
                use.memoryMib() / Families.CAMBRICON.resources().memoryUnitMib());
    return Map.of(ASSIGNED, "false", ASSIGNED_IN_HAMI, "false", PROFILE, profile);
  }

  /** Whether the device plugin has yet to serve a pod; empty for one that is not for it. */
  static Optional<Boolean> isAllocating(PodFacts pod) {
    var written = new HashMap<>(pod.annotations());
    written.keySet().retainAll(KEYS);
    return written.isEmpty()
        ? Optional.empty()
        : Optional.of(NOT_YET.containsAll(written.values()));
  }
}
