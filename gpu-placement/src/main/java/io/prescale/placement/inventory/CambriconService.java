package io.prescale.placement.inventory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What Cambricon's device plugin reads of a pod in its mode {@code dynamic-smlu}
 * (cambricon-k8s-device-plugin, {@code pkg/mlu/podutils.go}). It serves the one pending pod of its
 * node that is not assigned yet, and fails when there are two; it is asked for memory and compute
 * alone, and gives one container a share of one card.
 */
final class CambriconService {
  /** What it reads and sets, spelled so. */
  private static final String ASSIGNED = "CAMBRICON_DSMLU_ASSIGHED";

  /** What newer versions of HAMi write. */
  private static final String ASSIGNED_IN_HAMI = "CAMBRICON_DSMLU_ASSIGNED";

  private static final String PROFILE = "CAMBRICON_DSMLU_PROFILE";
  private static final String NOT_YET = "false";

  /** The annotations of pods that are read. */
  static final Set<String> KEYS = Set.of(ASSIGNED, ASSIGNED_IN_HAMI);

  private CambriconService() {}

  /** Why a pod that asks for these cards cannot be served; empty when it can. */
  static Optional<String> refusal(PodFacts pod) {
    var resources = Families.CAMBRICON.resources();
    var memory = resources.memory().orElseThrow();
    var cores = resources.cores().orElseThrow();
    var asking = asking(pod).toList();
    var first = asking.getFirst();
    long cards = first.asked().getOrDefault(resources.count(), 1L);
    if (asking.size() > 1 || first.init() || cards != 1) {
      return Optional.of(
          "the device plugin of MLU gives one container of a pod one card, and no init container;"
              + " ask for one card in one container");
    }
    return first.asked(memory) > 0 && first.asked(cores) > 0
        ? Optional.empty()
        : Optional.of(
            "the device plugin of MLU gives memory and compute; ask for both, %s and %s"
                .formatted(memory, cores));
  }

  /** Whether a pod asks for these cards. */
  static boolean asks(PodFacts pod) {
    return asking(pod).findAny().isPresent();
  }

  private static Stream<PodFacts.Container> asking(PodFacts pod) {
    return pod.containers().stream()
        .filter(
            container ->
                Families.CAMBRICON.resources().names().stream()
                    .anyMatch(name -> container.asked(name) != 0));
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
    return Map.of(ASSIGNED, NOT_YET, ASSIGNED_IN_HAMI, NOT_YET, PROFILE, profile);
  }

  /**
   * Whether the device plugin has yet to serve a pod; empty for one that does not ask for its cards
   * or was not handed to it. Other pods may have the annotations too, which mean nothing there.
   */
  static Optional<Boolean> isAllocating(PodFacts pod) {
    var said = KEYS.stream().flatMap(key -> Stream.ofNullable(pod.annotations().get(key))).toList();
    return said.isEmpty() || !asks(pod)
        ? Optional.empty()
        : Optional.of(said.stream().allMatch(NOT_YET::equals));
  }
}
