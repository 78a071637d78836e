package io.prescale.controller.lab;

import io.prescale.placement.inventory.Nodes;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes with room for eight NVIDIA cards, some or all of which HAMi has registered. */
final class RegisteredNodes {
  static final int CARDS = 8;

  /** The limits of a pod, in YAML's flow style, that asks for a whole card. */
  static final String WHOLE_CARD = limits(1);

  private RegisteredNodes() {}

  /** The same for more cards. */
  static String limits(int cards) {
    return "nvidia.com/gpu: \"%d\", nvidia.com/gpumem: \"81920\"".formatted(cards);
  }

  /**
   * Nodes named by number; applied again with more cards, they have those too.
   *
   * @param from the first number
   * @param to the number after the last
   * @param cards how many of its cards each has registered
   */
  static String manifest(int from, int to, int cards) {
    return IntStream.range(from, to)
        .mapToObj(node -> manifest("node-" + node, node / CARDS, cards))
        .collect(Collectors.joining());
  }

  private static String manifest(String name, int block, int cards) {
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata:
      name: %1$s
      labels: {kubernetes.io/hostname: %1$s, lab/block: "%2$d"}
      annotations: {hami.io/node-nvidia-register: '%3$s'}
    status:
      capacity: {cpu: "128", memory: 1Ti, pods: "250", nvidia.com/gpu: "80"}
      allocatable: {cpu: "128", memory: 1Ti, pods: "250", nvidia.com/gpu: "80"}
    """
        .formatted(name, block, Nodes.a100Register(name, cards));
  }
}
