package io.prescale.placement.inventory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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

  /** A100 cards of 40 GB in MIG mode, as HAMi 2.10 registers what they can be cut into. */
  public static NodeFacts mig(String name, int cards) {
    var register =
        IntStream.range(0, cards)
            .mapToObj(
                card ->
                    """
                    {"id":"GPU-%s-%d","index":%d,"count":7,"devmem":40960,"devcore":100,\
                    "type":"NVIDIA A100-SXM4-40GB","mode":"mig","health":true,"migProfiles":[\
                    {"name":"1g.5gb","memoryMB":4864,"core":14,"sliceCount":1,"placements":[%s]},\
                    {"name":"2g.10gb","memoryMB":9856,"core":28,"sliceCount":2,"placements":[%s]},\
                    {"name":"3g.20gb","memoryMB":19968,"core":42,"sliceCount":3,"placements":[%s]},\
                    {"name":"7g.40gb","memoryMB":40192,"core":100,"sliceCount":7,"placements":[%s]}]}\
                    """
                        .formatted(
                            name,
                            card,
                            card,
                            places(1, 6, 5, 4, 3, 2, 1, 0),
                            places(2, 4, 2, 0),
                            places(4, 0, 4),
                            places(8, 0)))
            .collect(Collectors.joining(",", "[", "]"));
    return new NodeFacts(
        name,
        Map.of(),
        Map.of(Families.NVIDIA.registerKey(), register),
        Map.of("nvidia.com/gpu", cards * 7L),
        true,
        false);
  }

  /** NVML names them in no order. */
  private static String places(int size, int... starts) {
    return Arrays.stream(starts)
        .mapToObj(start -> "{\"start\":%d,\"size\":%d}".formatted(start, size))
        .collect(Collectors.joining(","));
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

  /** The devices that a node itself states. */
  public static NodeInventory inventory(NodeFacts node) {
    return NodeInventory.read(node, Optional.empty());
  }
}
