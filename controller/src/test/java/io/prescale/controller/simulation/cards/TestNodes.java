package io.prescale.controller.simulation.cards;

import static java.util.stream.Collectors.joining;

import io.prescale.placement.inventory.NodeFacts;
import java.util.Map;
import java.util.stream.IntStream;

/** Nodes for tests, with cards of 80 GiB that are given out whole. */
final class TestNodes {
  private TestNodes() {}

  static NodeFacts of(String name, int cards, String model) {
    var register =
        IntStream.range(0, cards)
            .mapToObj(
                card ->
                    """
                    {"id":"%s-%d","index":%d,"count":1,"devmem":81920,"devcore":100,"type":"%s",\
                    "mode":"hami-core","health":true}\
                    """
                        .formatted(name, card, card, model))
            .collect(joining(",", "[", "]"));
    return new NodeFacts(
        name,
        Map.of(),
        Map.of("hami.io/node-nvidia-register", register),
        Map.of("nvidia.com/gpu", (long) cards),
        true,
        false);
  }
}
