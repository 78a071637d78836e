package io.prescale.placement.inventory;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A pod as the API server has it, as far as placement needs it.
 *
 * @param annotations those about devices; the constructor drops the others
 * @param containers with the init containers first, as HAMi counts them
 * @param node to which it is bound, if any
 * @param group that is placed as a whole or not at all, if any
 * @param scheduler that is to place it
 * @param priority of its class
 * @param phase of its life
 * @param queue that its label names, if any
 * @param created when it was created, by the API server's clock
 * @param labels by which bookings know it; the constructor drops those of pods that ask for nothing
 * @param isLeaving whether it is being deleted; it holds its cards until it has ended
 * @param length for which it runs at most, if it says so
 * @param nominated the node on which kube-scheduler has preempted others for it, while it waits
 */
public record PodFacts(
    String uid,
    String namespace,
    String name,
    Map<String, String> annotations,
    List<Container> containers,
    Optional<String> node,
    Optional<Group> group,
    String scheduler,
    int priority,
    Phase phase,
    Optional<String> queue,
    Instant created,
    Map<String, String> labels,
    boolean isLeaving,
    Optional<DeclaredLength> length,
    Optional<String> nominated) {
  /** The queue of pods that name none, in a namespace that names none. */
  public static final String DEFAULT_QUEUE = "default";

  private static final Set<String> WISHES = wishKeys();

  /** Annotation of pods that never leave for others. */
  public static final String RECLAIM = "gpu.prescale.io/reclaim";

  private static final Set<String> KEYS = keys();

  /** Where a pod is in its life. */
  public enum Phase {
    /** Not bound, or bound and not started. */
    PENDING,
    RUNNING,
    /** Succeeded or failed: it holds nothing any more. */
    FINISHED
  }

  /**
   * A gang.
   *
   * @param name unique in its namespace
   * @param size how many pods it has; {@link #AS_ITS_POD_GROUP_SAYS} if the PodGroup states it
   * @param nearness how near each other they are placed
   * @param isFirst whether the pod that says so is placed before the others exist
   */
  public record Group(String name, int size, Nearness nearness, boolean isFirst) {
    /** The size of a PodGroup of Kubernetes, which pods only name. */
    public static final int AS_ITS_POD_GROUP_SAYS = 0;

    public Group {
      if (name.isBlank() || size < AS_ITS_POD_GROUP_SAYS) {
        throw new IllegalArgumentException(
            "a group has a name and no negative size, not \"%s\" and %d".formatted(name, size));
      }
    }

    /** A group whose pods may be placed anywhere. */
    public Group(String name, int size) {
      this(name, size, Nearness.ANYWHERE, false);
    }

    /** Its name among the groups of all namespaces. */
    public String in(String namespace) {
      return namespace + "/" + name;
    }

    /** The same group with another nearness. */
    public Group with(Nearness newNearness) {
      return new Group(name, size, newNearness, isFirst);
    }

    /** The group of the pods that name a PodGroup of Kubernetes. */
    public static Group ofPodGroup(String podGroup) {
      return new Group("PodGroup/" + podGroup, AS_ITS_POD_GROUP_SAYS);
    }
  }

  /**
   * One container.
   *
   * @param init whether it runs before the others
   * @param asked amounts of extended resources
   * @param image canonical name of its image; empty when it does not matter any more
   */
  public record Container(String name, boolean init, Map<String, Long> asked, String image) {
    public Container {
      asked = Map.copyOf(asked);
    }

    /** A container whose image does not matter. */
    public Container(String name, boolean init, Map<String, Long> asked) {
      this(name, init, asked, "");
    }

    long asked(String resource) {
      return asked.getOrDefault(resource, 0L);
    }
  }

  public PodFacts {
    annotations = ofDevices(annotations);
    containers = List.copyOf(containers);
    labels =
        containers.stream().allMatch(it -> it.asked().isEmpty()) ? Map.of() : Map.copyOf(labels);
    if (uid.isBlank() || namespace.isBlank() || name.isBlank()) {
      throw new IllegalArgumentException(
          "a pod has a UID, a namespace and a name, not \"%s\", \"%s\" and \"%s\""
              .formatted(uid, namespace, name));
    }
  }

  /** A pod without labels, which stays. */
  public PodFacts(
      String uid,
      String namespace,
      String name,
      Map<String, String> annotations,
      List<Container> containers,
      Optional<String> node,
      Optional<Group> group,
      String scheduler,
      int priority,
      Phase phase,
      Optional<String> queue,
      Instant created) {
    this(
        uid,
        namespace,
        name,
        annotations,
        containers,
        node,
        group,
        scheduler,
        priority,
        phase,
        queue,
        created,
        Map.of(),
        false,
        Optional.empty(),
        Optional.empty());
  }

  private static Set<String> wishKeys() {
    var keys = new HashSet<>(DemandReader.KEYS);
    Families.ALL.forEach(family -> keys.addAll(family.selection().keys()));
    keys.addAll(MetaxService.KEYS);
    return Set.copyOf(keys);
  }

  private static Set<String> keys() {
    var keys = new HashSet<>(WISHES);
    Families.ALL.forEach(family -> keys.add(family.allocatedKey()));
    keys.addAll(CambriconService.KEYS);
    keys.addAll(
        Set.of(MigAllocations.KEY, KoordinatorDevices.ALLOCATED, HamiAnnotations.PHASE, RECLAIM));
    return Set.copyOf(keys);
  }

  /** The annotations that say which cards it wants, without those that say which it has. */
  public Map<String, String> wishes() {
    var wishes = new HashMap<>(annotations);
    wishes.keySet().retainAll(WISHES);
    return Map.copyOf(wishes);
  }

  /** Whether it says that its cards are never taken from it. */
  public boolean isNeverTaken() {
    return "never".equals(annotations.get(RECLAIM));
  }

  /** Whether an annotation may say which cards a pod wants. */
  public static boolean isWish(String annotation) {
    return WISHES.contains(annotation);
  }

  /** Pods are many, and their other annotations are large. */
  private static Map<String, String> ofDevices(Map<String, String> annotations) {
    var kept = new HashMap<>(annotations);
    kept.keySet().retainAll(KEYS);
    return Map.copyOf(kept);
  }

  /** A copy with another UID. */
  public PodFacts as(String newUid) {
    return new PodFacts(
        newUid,
        namespace,
        name,
        annotations,
        containers,
        node,
        group,
        scheduler,
        priority,
        phase,
        queue,
        created,
        labels,
        isLeaving,
        length,
        nominated);
  }

  /** The image of its first container that asks for devices, usually the largest; else empty. */
  public String image() {
    return containers.stream()
        .filter(container -> !container.asked().isEmpty())
        .map(Container::image)
        .findFirst()
        .orElse("");
  }

  /** Whether it is a member of a group. */
  public boolean isOf(String groupNamespace, Group other) {
    return namespace.equals(groupNamespace)
        && group.filter(own -> own.name().equals(other.name())).isPresent();
  }

  /** The queue that pays for it: the one it names, else that of its namespace, else the default. */
  public String queueOr(Optional<String> queueOfNamespace) {
    return queue.or(() -> queueOfNamespace).orElse(DEFAULT_QUEUE);
  }

  /**
   * Amounts that are asked for at once, above 0; the larger of init containers, each with the
   * sidecars that precede it, and the others counts.
   */
  public Map<String, Long> asked() {
    var together = new TreeMap<String, Long>();
    var before = new TreeMap<String, Long>();
    for (var container : containers) {
      container
          .asked()
          .forEach(
              (resource, amount) -> {
                if (amount > 0 && container.init()) {
                  long beside = together.getOrDefault(resource, 0L);
                  before.merge(resource, DemandReader.capped(beside, amount), Math::max);
                } else if (amount > 0) {
                  together.merge(resource, amount, DemandReader::capped);
                }
              });
    }
    before.forEach((resource, amount) -> together.merge(resource, amount, Math::max));
    return together;
  }

  /** The display form {@code namespace/name}. */
  public String display() {
    return namespace + "/" + name;
  }
}
