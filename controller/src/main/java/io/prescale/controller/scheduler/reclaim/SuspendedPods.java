package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.prescale.placement.inventory.PodFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that a suspended workload had, as its annotation has them: what each asked for, without
 * names. So room can be found for any kind of workload without knowing where it has its templates.
 *
 * @param alike pods that asked for the same
 */
record SuspendedPods(List<Alike> alike) {
  /** The most pods of a workload for which room is looked for. */
  private static final int MOST_PODS = 64;

  /** An annotation that is longer leaves out what pods said about cards, then some of them. */
  static final int LONGEST = 8 * 1024;

  private static final ObjectMapper JSON = new ObjectMapper();

  SuspendedPods {
    alike = List.copyOf(alike);
    if (alike.isEmpty() || alike.stream().mapToLong(Alike::pods).sum() > MOST_PODS) {
      throw new IllegalArgumentException("from 1 to %d pods: %s".formatted(MOST_PODS, alike));
    }
  }

  /**
   * Pods that asked for the same.
   *
   * @param queue that their label named, if any
   * @param annotations about the cards that they wanted
   */
  record Alike(
      int pods,
      @Nullable String queue,
      Map<String, String> annotations,
      List<Container> containers) {
    Alike {
      if (pods < 1) {
        throw new IllegalArgumentException("%d pods".formatted(pods));
      }
      annotations = Map.copyOf(annotations);
      containers = List.copyOf(containers);
    }

    private Alike with(int newPods, boolean isWithAnnotations) {
      return new Alike(newPods, queue, isWithAnnotations ? annotations : Map.of(), containers);
    }
  }

  /**
   * One container.
   *
   * @param asked amounts of extended resources
   */
  record Container(boolean init, Map<String, Long> asked) {
    Container {
      asked = Map.copyOf(asked);
      if (asked.values().stream().anyMatch(amount -> amount < 0)) {
        throw new IllegalArgumentException("an amount is not negative: " + asked);
      }
    }
  }

  /** What is written about the pods of a workload. */
  static SuspendedPods of(Collection<PodFacts> pods) {
    var numbers =
        pods.stream()
            .sorted(Comparator.comparing(PodFacts::name))
            .limit(MOST_PODS)
            .collect(groupingBy(SuspendedPods::alone, LinkedHashMap::new, counting()));
    var alike = new ArrayList<Alike>();
    numbers.forEach((one, number) -> alike.add(one.with(Math.toIntExact(number), true)));
    return new SuspendedPods(alike);
  }

  private static Alike alone(PodFacts pod) {
    return new Alike(
        1,
        pod.queue().orElse(null),
        pod.wishes(),
        pod.containers().stream().map(it -> new Container(it.init(), it.asked())).toList());
  }

  /** As JSON. */
  String text() {
    var text = json(alike);
    var shorter = new ArrayList<>(alike.stream().map(it -> it.with(it.pods(), false)).toList());
    while (text.length() > LONGEST && !shorter.isEmpty()) {
      text = json(shorter);
      shorter.removeLast();
    }
    return text;
  }

  /** Whether what is written could not be read back, as of one pod with hundreds of containers. */
  boolean isTooLong() {
    return text().length() > LONGEST;
  }

  private static String json(List<Alike> alike) {
    try {
      return JSON.writeValueAsString(alike);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Those of a workload and these; only those, if they are too many together. */
  SuspendedPods and(SuspendedPods earlier) {
    var numbers = new LinkedHashMap<Alike, Integer>();
    Stream.concat(earlier.alike.stream(), alike.stream())
        .forEach(it -> numbers.merge(it.with(1, true), it.pods(), Integer::sum));
    if (numbers.values().stream().mapToLong(Integer::longValue).sum() > MOST_PODS) {
      return earlier;
    }
    var all = new ArrayList<Alike>();
    numbers.forEach((one, number) -> all.add(one.with(number, true)));
    return new SuspendedPods(all);
  }

  /** As a workload's annotation has them. */
  static Optional<SuspendedPods> of(GenericKubernetesResource object) {
    return read(SuspendedWorkloads.annotation(object, SuspendedWorkloads.PODS));
  }

  /** Reads it back; empty if it makes no sense, since users may write it, too. */
  static Optional<SuspendedPods> read(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      var alike = JSON.readValue(text, Alike[].class);
      return alike == null || Stream.of(alike).anyMatch(Objects::isNull)
          ? Optional.empty()
          : Optional.of(new SuspendedPods(List.of(alike)));
    } catch (JsonProcessingException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** What a pod of each kind looks like once the workload goes on. */
  List<PodFacts> templates(Suspendable workload) {
    return alike.stream()
        .map(
            each ->
                new PodFacts(
                    workload.uid(),
                    workload.namespace(),
                    workload.name(),
                    each.annotations(),
                    each.containers().stream()
                        .map(it -> new PodFacts.Container("", it.init(), it.asked()))
                        .toList(),
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    0,
                    PodFacts.Phase.PENDING,
                    Optional.ofNullable(each.queue()),
                    Instant.EPOCH))
        .toList();
  }
}
