package io.prescale.controller.inventory;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes for tests. */
public final class Nodes {
  private Nodes() {}

  /** Cards of 80 GiB with ten slots, whose UUIDs are {@code GPU-<node>-<i>}. */
  public static NodeFacts a100(String name, int cards) {
    return a100(name, cards, Map.of());
  }

  /** The same with further annotations. */
  public static NodeFacts a100(String name, int cards, Map<String, String> more) {
    var annotations = new HashMap<>(more);
    annotations.put(Families.NVIDIA.registerKey(), a100Register(name, cards));
    return new NodeFacts(
        name, Map.of(), annotations, Map.of("nvidia.com/gpu", cards * 10L), true, false);
  }

  /** The annotation of such a node. */
  public static String a100Register(String name, int cards) {
    return IntStream.range(0, cards)
        .mapToObj(
            card ->
                """
                {"id":"GPU-%s-%d","index":%d,"count":10,"devmem":81920,"devcore":100,\
                "type":"NVIDIA A100-SXM4-80GB","mode":"hami-core","health":true}\
                """
                    .formatted(name, card, card))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** A ready node that registers something for a resource. */
  public static NodeFacts registering(String name, String key, String text, String resource) {
    return new NodeFacts(name, Map.of(), Map.of(key, text), Map.of(resource, 8L), true, false);
  }

  /** A node of which only a number of cards is known. */
  public static NodeFacts plain(String name, long gpus) {
    return new NodeFacts(
        name,
        Map.of("nvidia.com/gpu.product", "NVIDIA-L4"),
        Map.of(),
        Map.of("nvidia.com/gpu", gpus, "nvidia.com/mig-1g.10gb", 2L),
        true,
        false);
  }
}
