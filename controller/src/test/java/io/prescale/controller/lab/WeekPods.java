package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pods with cards of some days of openb, those first that are alive when the first day begins.
 *
 * @param begin second of the trace at which the first day begins
 * @param end second at which the last one is over
 */
record WeekPods(List<Asked> pods, long begin, long end) {
  static final int QUEUES = 8;
  private static final int DAY = 86_400;
  private static final int WHOLE_MILLI = 1000;
  private static final int PERCENT_MILLI = 10;

  WeekPods {
    pods = List.copyOf(pods);
  }

  /**
   * A pod of the trace.
   *
   * @param milli of each of its cards
   * @param models that it accepts, with commas; empty if it accepts all
   * @param isImportant whether others of its queue are to be taken first
   * @param arrives second of the trace
   * @param leaves second of the trace
   */
  record Asked(
      String name,
      int cards,
      int milli,
      String models,
      boolean isImportant,
      long arrives,
      long leaves) {
    private static Asked of(String[] fields) {
      int cards = Integer.parseInt(fields[3]);
      return new Asked(
          fields[0],
          cards,
          cards > 1 ? WHOLE_MILLI : Integer.parseInt(fields[4]),
          fields[5].replace('|', ','),
          !fields[6].equals("BE"),
          Long.parseLong(fields[8]),
          Long.parseLong(fields[9]));
    }

    /** All copies of a pod have one queue. */
    String queue() {
      return queueNamed(Math.floorMod(name.hashCode(), QUEUES));
    }

    int allMilli() {
      return cards * milli;
    }

    /** Its copies, and those made again, have names of their own. */
    Pod pod(String name, String kin, OwnerReference owner) {
      var annotations = new HashMap<String, String>();
      annotations.put("gpu.prescale.io/move", "allowed");
      annotations.put("gpu.prescale.io/pause-cost", isImportant ? "45m" : "1m");
      if (!models.isEmpty()) {
        annotations.put("nvidia.com/use-gputype", models);
      }
      return new PodBuilder()
          .withNewMetadata()
          .withName(name)
          .withNamespace("default")
          .withLabels(Map.of("gpu.prescale.io/queue", queue(), OpenbWeek.POD, kin))
          .withAnnotations(annotations)
          .withOwnerReferences(owner)
          .endMetadata()
          .withNewSpec()
          .withTerminationGracePeriodSeconds(0L)
          .withPriorityClassName(isImportant ? OpenbWeek.IMPORTANT : null)
          .addNewContainer()
          .withName("main")
          .withImage("model")
          .withNewResources()
          .withLimits(limits())
          .endResources()
          .endContainer()
          .endSpec()
          .build();
    }

    private Map<String, Quantity> limits() {
      var percent = new Quantity(Integer.toString(milli / PERCENT_MILLI));
      return Map.of(
          "nvidia.com/gpu", new Quantity(Integer.toString(cards)),
          "nvidia.com/gpumem-percentage", percent,
          "nvidia.com/gpucores", percent);
    }
  }

  static String queueNamed(int number) {
    return "team-" + number;
  }

  static WeekPods read(Path openb, int firstDay, int days) throws IOException {
    long begin = (long) firstDay * DAY;
    long end = begin + (long) days * DAY;
    var pods =
        Files.readAllLines(openb.resolve("pods-default.csv")).stream()
            .skip(1)
            .map(line -> line.split(",", -1))
            .filter(fields -> !fields[3].equals("0"))
            .map(Asked::of)
            .filter(it -> it.arrives() < end && it.leaves() > Math.max(begin, it.arrives()))
            .sorted(Comparator.comparingLong(Asked::arrives))
            .toList();
    return new WeekPods(pods, begin, end);
  }

  List<Asked> alreadyAlive() {
    return pods.stream().filter(it -> it.arrives() < begin).toList();
  }

  List<Asked> arriving() {
    return pods.stream().filter(it -> it.arrives() >= begin).toList();
  }

  /** The most that is asked for at once, in thousandths of a card, if none waits. */
  int peakMilli() {
    var changes = new TreeMap<Long, Integer>();
    for (var pod : pods) {
      changes.merge(Math.max(begin, pod.arrives()), pod.allMilli(), Integer::sum);
      changes.merge(pod.leaves(), -pod.allMilli(), Integer::sum);
    }
    int peak = 0;
    int now = 0;
    for (int change : new ArrayList<>(changes.headMap(end).values())) {
      now += change;
      peak = Math.max(peak, now);
    }
    return peak;
  }
}
