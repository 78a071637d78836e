package io.prescale.placement.inventory;

import io.prescale.placement.inventory.PodFacts.Container;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods for tests. */
public final class Pods {
  private static final String SCHEDULER = "cards";
  private static final Instant CREATED = Instant.parse("2026-11-21T12:00:00Z");

  private Pods() {}

  /** A pending pod of one container. */
  public static PodFacts asking(String name, Map<String, Long> resources) {
    return of(name, List.of(new Container("main", false, resources)), Map.of());
  }

  /** A pending pod. */
  public static PodFacts of(
      String name, List<Container> containers, Map<String, String> annotations) {
    return new PodFacts(
        "uid-" + name,
        "default",
        name,
        annotations,
        containers,
        Optional.empty(),
        Optional.empty(),
        SCHEDULER,
        0,
        PodFacts.Phase.PENDING,
        Optional.empty(),
        CREATED);
  }

  /** The pod with annotations, bound to a node and running. */
  public static PodFacts bound(PodFacts pod, String node, Map<String, String> annotations) {
    return new PodFacts(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        annotations,
        pod.containers(),
        Optional.of(node),
        pod.group(),
        pod.scheduler(),
        pod.priority(),
        PodFacts.Phase.RUNNING,
        pod.queue(),
        pod.created());
  }

  /** The pod with a label that names its queue, created at a time. */
  public static PodFacts inQueue(PodFacts pod, String queue, Instant created) {
    return new PodFacts(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.annotations(),
        pod.containers(),
        pod.node(),
        pod.group(),
        pod.scheduler(),
        pod.priority(),
        pod.phase(),
        Optional.of(queue),
        created);
  }

  /** The pod with labels. */
  public static PodFacts labelled(PodFacts pod, Map<String, String> labels) {
    return with(pod, labels, pod.isLeaving(), pod.length(), pod.nominated());
  }

  /** The pod while it is being deleted. */
  public static PodFacts leaving(PodFacts pod) {
    return with(pod, pod.labels(), true, pod.length(), pod.nominated());
  }

  /** The pod as it says for how long it runs at most. */
  public static PodFacts ofLength(PodFacts pod, Duration length) {
    var declared = new DeclaredLength(length, Optional.empty());
    return with(pod, pod.labels(), pod.isLeaving(), Optional.of(declared), pod.nominated());
  }

  /** The pod once others were preempted for it on a node. */
  public static PodFacts nominated(PodFacts pod, String node) {
    return with(pod, pod.labels(), pod.isLeaving(), pod.length(), Optional.of(node));
  }

  private static PodFacts with(
      PodFacts pod,
      Map<String, String> labels,
      boolean isLeaving,
      Optional<DeclaredLength> length,
      Optional<String> nominated) {
    return new PodFacts(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.annotations(),
        pod.containers(),
        pod.node(),
        pod.group(),
        pod.scheduler(),
        pod.priority(),
        pod.phase(),
        pod.queue(),
        pod.created(),
        labels,
        isLeaving,
        length,
        nominated);
  }

  /** The pod with a priority. */
  public static PodFacts withPriority(PodFacts pod, int priority) {
    return wanting(pod, pod.group(), pod.scheduler(), priority);
  }

  /** The pod as a member of a group. */
  public static PodFacts inGroup(PodFacts pod, String group, int size) {
    return inGroup(pod, new PodFacts.Group(group, size));
  }

  /** The pod as a member of a group. */
  public static PodFacts inGroup(PodFacts pod, PodFacts.Group group) {
    return wanting(pod, Optional.of(group), pod.scheduler(), pod.priority());
  }

  /** The pod as another scheduler is to place it. */
  public static PodFacts of(PodFacts pod, String scheduler) {
    return wanting(pod, pod.group(), scheduler, pod.priority());
  }

  private static PodFacts wanting(
      PodFacts pod, Optional<PodFacts.Group> group, String scheduler, int priority) {
    return new PodFacts(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.annotations(),
        pod.containers(),
        pod.node(),
        group,
        scheduler,
        priority,
        pod.phase(),
        pod.queue(),
        pod.created());
  }
}
