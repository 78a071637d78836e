package io.prescale.controller.lab;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A vendor whose cards HAMi registers on nodes, as far as tests need to know it. */
enum HamiVendor {
  NVIDIA("nvidia.com/gpu", "nvidia.com/gpumem", "hami.io/vgpu-devices-allocated", 40_960) {
    @Override
    String annotation(String node, boolean healthy) {
      var cards =
          cardNames(node)
              .map(
                  uuid ->
                      """
                      {"id":"%s","count":10,"devmem":40960,"devcore":100,\
                      "type":"NVIDIA A100-SXM4-40GB","mode":"hami-core","health":%s}\
                      """
                          .formatted(uuid, healthy || !uuid.endsWith("-0")))
              .collect(Collectors.joining(",", "[", "]"));
      return "hami.io/node-nvidia-register: '%s'".formatted(cards);
    }
  },
  HYGON("hygon.com/dcunum", "hygon.com/dcumem", "hami.io/dcu-devices-allocated", 32_768) {
    @Override
    String annotation(String node, boolean healthy) {
      return "hami.io/node-dcu-register: '%s'".formatted(text(node, 32_768, "DCU-Z100"));
    }
  },
  ILUVATAR(
      "iluvatar.ai/BI-V150-vgpu",
      "iluvatar.ai/BI-V150.vMem",
      "hami.io/BI-V150-devices-allocated",
      32_768) {
    @Override
    String annotation(String node, boolean healthy) {
      return "hami.io/node-BI-V150-register: '%s'".formatted(text(node, 32_768, "BI-V150"));
    }

    @Override
    long memory(int mib) {
      return mib / 256;
    }
  },
  ASCEND(
      "huawei.com/Ascend910B3",
      "huawei.com/Ascend910B3-memory",
      "hami.io/Ascend910B3-devices-allocated",
      65_536) {
    @Override
    String annotation(String node, boolean healthy) {
      var cards =
          cardNames(node)
              .map(
                  uuid ->
                      """
                      {"id":"%s","count":4,"devmem":65536,"devcore":20,\
                      "type":"Ascend910B3","health":true,"customInfo":{"NetworkID":1}}\
                      """
                          .formatted(uuid))
              .collect(Collectors.joining(",", "[", "]"));
      return "hami.io/node-register-Ascend910B3: '%s'".formatted(cards);
    }
  };

  static final int CARDS = 4;
  static final int SHARERS = 10;

  final String count;
  final String memory;
  final String record;
  final int cardMib;

  HamiVendor(String count, String memory, String record, int cardMib) {
    this.count = count;
    this.memory = memory;
    this.record = record;
    this.cardMib = cardMib;
  }

  /**
   * The registration of a node with {@link #CARDS} cards.
   *
   * @param healthy whether its first card is, where the vendor's form is JSON
   */
  abstract String annotation(String node, boolean healthy);

  long memory(int mib) {
    return mib;
  }

  String node(int number) {
    return name().toLowerCase(Locale.ROOT) + "-" + number;
  }

  private static Stream<String> cardNames(String node) {
    return IntStream.range(0, CARDS).mapToObj(card -> "CARD-" + node + "-" + card);
  }

  private static String text(String node, int memory, String type) {
    return cardNames(node)
        .map(uuid -> "%s,10,%d,100,%s,0,true:".formatted(uuid, memory, type))
        .collect(Collectors.joining());
  }

  /** A node with four cards. */
  String node(int number, boolean healthy) {
    return node(node(number), annotation(node(number), healthy));
  }

  /** A node that registers what it likes. */
  String node(String name, String annotations) {
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: %1$s, annotations: {%3$s}}
    status:
      capacity: {cpu: "128", memory: 1Ti, pods: "250", %2$s: "40"}
      allocatable: {cpu: "128", memory: 1Ti, pods: "250", %2$s: "40"}
    """
        .formatted(name, count, annotations);
  }

  /** Pods that ask for a share of a card each. */
  String pods(String name, int number, int memoryMib) {
    return pods(name, number, memoryMib, "");
  }

  /**
   * The same with more metadata.
   *
   * @param metadata in YAML's flow style, with a comma before
   */
  String pods(String name, int number, int memoryMib, String metadata) {
    var text = new StringBuilder();
    for (int pod = 0; pod < number; pod++) {
      text.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata: {name: %1$s-%2$s-%3$d, namespace: default%7$s}
          spec:
            containers:
            - {name: main, image: model, resources: {limits: {%4$s: "1", %5$s: "%6$d"}}}
          """
              .formatted(
                  name().toLowerCase(Locale.ROOT),
                  name,
                  pod,
                  count,
                  memory,
                  memory(memoryMib),
                  metadata));
    }
    return text.toString();
  }
}
