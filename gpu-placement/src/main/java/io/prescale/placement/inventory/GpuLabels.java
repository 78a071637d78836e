package io.prescale.placement.inventory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The labels of a node from GPU feature discovery: one model for all of its cards, and how many
 * there are of each resource.
 *
 * @param model without the mark of sharing
 * @param units how many devices the node may offer by these labels, by resource and in the order of
 *     these; resources that they do not name are left out
 * @param problems one sentence for every malformed label
 */
record GpuLabels(Optional<String> model, Map<String, Long> units, List<String> problems) {
  private static final String PRODUCT = "nvidia.com/gpu.product";
  private static final String COUNT = "nvidia.com/gpu.count";
  private static final String REPLICAS = "nvidia.com/gpu.replicas";
  private static final String SHARING = "nvidia.com/gpu.sharing-strategy";
  private static final String MIG_STRATEGY = "nvidia.com/mig.strategy";
  private static final String MIG = "nvidia.com/mig-";
  private static final Pattern KEY =
      Pattern.compile(
          "nvidia\\.com/(gpu\\.(product|count|replicas|sharing-strategy)|mig\\.strategy"
              + "|mig-.+\\.(count|replicas))");
  private static final String SHARED = "-SHARED";
  private static final String SHARED_RESOURCE = ".shared";
  private static final int LONGEST_NUMBER = 7;

  GpuLabels {
    units = Collections.unmodifiableMap(new TreeMap<>(units));
    problems = List.copyOf(problems);
  }

  /** Whether a label of nodes says something about devices. */
  static boolean isOfDevices(String key) {
    return KEY.matcher(key).matches();
  }

  /** Reads the labels; never fails. */
  static GpuLabels read(Map<String, String> labels) {
    var problems = new ArrayList<String>();
    var units = new TreeMap<String, Long>();
    // If cards are cut in different ways, the labels count those that are not cut.
    if (!"mixed".equals(labels.get(MIG_STRATEGY))) {
      number(labels, COUNT, problems)
          .ifPresent(
              count -> units.put("nvidia.com/gpu", count * replicas(labels, REPLICAS, problems)));
    }
    for (var key : new TreeSet<>(labels.keySet())) {
      if (key.startsWith(MIG) && key.endsWith(".count")) {
        var resource = key.substring(0, key.length() - ".count".length());
        number(labels, key, problems)
            .ifPresent(
                count ->
                    units.put(
                        resource, count * replicas(labels, resource + ".replicas", problems)));
      }
    }
    return new GpuLabels(
        Optional.ofNullable(labels.get(PRODUCT)).map(GpuLabels::unshared).filter(m -> !m.isBlank()),
        units,
        problems);
  }

  private static String unshared(String product) {
    return product.endsWith(SHARED)
        ? product.substring(0, product.length() - SHARED.length())
        : product;
  }

  /** Without sharing, every device counts once, whatever the label says. */
  private static long replicas(Map<String, String> labels, String key, List<String> problems) {
    return "none".equals(labels.get(SHARING))
        ? 1
        : number(labels, key, problems).map(replicas -> Math.max(1, replicas)).orElse(1L);
  }

  private static Optional<Long> number(
      Map<String, String> labels, String key, List<String> problems) {
    var text = labels.get(key);
    if (text == null) {
      return Optional.empty();
    }
    if (text.length() > LONGEST_NUMBER || !text.matches("[0-9]+")) {
      problems.add(
          "the label %s is %s; give a whole number from 0.".formatted(key, Text.quoted(text)));
      return Optional.empty();
    }
    return Optional.of(Long.parseLong(text));
  }

  /** Devices that the node offers beyond the labels. */
  List<String> contradictions(Map<String, Long> allocatable) {
    var found = new ArrayList<String>();
    units.forEach(
        (resource, most) -> {
          long offered =
              allocatable.getOrDefault(resource, 0L)
                  + allocatable.getOrDefault(resource + SHARED_RESOURCE, 0L);
          if (offered > most) {
            found.add(
                "the kubelet offers %d of %s, but the labels state %d."
                    .formatted(offered, resource, most));
          }
        });
    return found;
  }
}
