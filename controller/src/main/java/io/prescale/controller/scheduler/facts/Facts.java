package io.prescale.controller.scheduler.facts;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerImage;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.prescale.controller.cluster.BoundedQuantity;
import io.prescale.controller.cluster.BriefContainers;
import io.prescale.controller.cluster.NodeStates;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.inventory.ImageNames;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes and pods from Kubernetes' objects. Amounts beyond 64 bits become the largest or least
 * long.
 */
public final class Facts {
  /** The scheduler that balloon pods name; there is none of this name, so they stay unbound. */
  public static final String BALLOONS = "prescale-balloons";

  /** The label of pods and namespaces that names a GpuQueue. */
  public static final String QUEUE = "gpu.prescale.io/queue";

  /** Where kubectl keeps the whole object that was applied, environment and all. */
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /** The kubelet reports 50 images by default, each by a tag and a digest. */
  private static final int MOST_IMAGE_NAMES = 1000;

  private Facts() {}

  /**
   * Reads a node.
   *
   * @param levels of the network, each named by a label of nodes
   */
  public static NodeFacts of(Node node, NetworkLevels levels) {
    var meta = node.getMetadata();
    var status = node.getStatus();
    return new NodeFacts(
        meta.getName(),
        kept(meta.getLabels(), NodeFacts::isLabelOfDevices),
        kept(meta.getAnnotations(), NodeFacts::isOfDevices),
        status == null ? Map.of() : extended(status.getAllocatable()),
        status == null ? Map.of() : extended(status.getCapacity()),
        NodeStates.isReady(node),
        NodeStates.isCordoned(node),
        levels.position(orEmpty(meta.getLabels())),
        status == null ? Set.of() : images(status.getImages()));
  }

  /** The strings are mostly those of the node, which the watch keeps anyway. */
  private static Set<String> images(@Nullable List<ContainerImage> images) {
    return orEmpty(images).stream()
        .flatMap(image -> orEmpty(image.getNames()).stream())
        .filter(Objects::nonNull)
        .limit(MOST_IMAGE_NAMES)
        .map(ImageNames::canonical)
        .collect(Collectors.toSet());
  }

  /** Drops what is not about devices: heartbeats and locks change all the time. */
  private static Map<String, String> kept(
      @Nullable Map<String, String> all, Predicate<String> isOfDevices) {
    var kept = new HashMap<>(orEmpty(all));
    kept.keySet().removeIf(isOfDevices.negate());
    return kept;
  }

  /** What is known of a pod that names its queue by our label. */
  public static PodFacts of(Pod pod) {
    return of(pod, QueueSource.PRESCALE);
  }

  /**
   * What is known of a pod. A balloon asks for nothing: it stands for others, and stays unbound.
   *
   * @param queues in whose words it names its queue
   */
  public static PodFacts of(Pod pod, QueueSource queues) {
    var meta = pod.getMetadata();
    var spec = pod.getSpec();
    var containers = new ArrayList<PodFacts.Container>();
    boolean waits = spec.getNodeName() == null || spec.getNodeName().isEmpty();
    boolean isBalloon = waits && BALLOONS.equals(spec.getSchedulerName());
    for (var container : isBalloon ? List.<Container>of() : orEmpty(spec.getInitContainers())) {
      // A sidecar starts before the others and stays.
      containers.add(of(container, !"Always".equals(container.getRestartPolicy()), waits));
    }
    for (var container : isBalloon ? List.<Container>of() : orEmpty(spec.getContainers())) {
      containers.add(of(container, false, waits));
    }
    return new PodFacts(
        meta.getUid(),
        meta.getNamespace(),
        meta.getName(),
        orEmpty(meta.getAnnotations()),
        containers,
        Optional.ofNullable(spec.getNodeName()).filter(name -> !name.isEmpty()),
        GroupFacts.of(pod),
        Objects.requireNonNullElse(spec.getSchedulerName(), "default-scheduler"),
        spec.getPriority() == null ? 0 : spec.getPriority(),
        phase(pod),
        queues.queue(meta),
        created(meta),
        orEmpty(meta.getLabels()),
        meta.getDeletionTimestamp() != null,
        PodLengths.of(pod),
        waits ? nominated(pod) : Optional.empty());
  }

  /** The queue that the label of a pod or a namespace names, if any. */
  public static Optional<String> queue(ObjectMeta meta) {
    return Optional.ofNullable(orEmpty(meta.getLabels()).get(QUEUE))
        .filter(name -> !name.isBlank());
  }

  private static Optional<String> nominated(Pod pod) {
    return Optional.ofNullable(pod.getStatus())
        .map(status -> status.getNominatedNodeName())
        .filter(name -> !name.isEmpty());
  }

  /** A time that cannot be read counts as long ago. */
  private static Instant created(ObjectMeta meta) {
    return WrittenTime.read(meta.getCreationTimestamp()).orElse(Instant.EPOCH);
  }

  /** What is kept of a pod that was reported: enough to report its end. */
  public static Pod brief(Pod pod) {
    var meta = pod.getMetadata();
    return new PodBuilder()
        .withNewMetadata()
        .withUid(meta.getUid())
        .withNamespace(meta.getNamespace())
        .withName(meta.getName())
        .withResourceVersion(meta.getResourceVersion())
        .endMetadata()
        .withNewSpec()
        .withNodeName(pod.getSpec().getNodeName())
        .endSpec()
        .build();
  }

  /**
   * What is kept of a pod that is placed, taken back or moved on trial: not what its containers
   * run, and of its volumes only those that bind it to nodes.
   */
  public static Pod placed(Pod pod) {
    var annotations = new HashMap<>(orEmpty(pod.getMetadata().getAnnotations()));
    annotations.remove(LAST_APPLIED);
    var kept = new PodBuilder(pod).editMetadata();
    return kept.withAnnotations(annotations)
        .withManagedFields(List.of())
        .endMetadata()
        .withNewSpec()
        .withNodeName(pod.getSpec().getNodeName())
        .withSchedulerName(pod.getSpec().getSchedulerName())
        .withPriority(pod.getSpec().getPriority())
        .withPreemptionPolicy(pod.getSpec().getPreemptionPolicy())
        .withNodeSelector(pod.getSpec().getNodeSelector())
        .withTolerations(pod.getSpec().getTolerations())
        .withAffinity(pod.getSpec().getAffinity())
        .withTopologySpreadConstraints(pod.getSpec().getTopologySpreadConstraints())
        .withResourceClaims(pod.getSpec().getResourceClaims())
        .withVolumes(orEmpty(pod.getSpec().getVolumes()).stream().filter(Facts::isOfNodes).toList())
        .withActiveDeadlineSeconds(pod.getSpec().getActiveDeadlineSeconds())
        .withSchedulingGates(pod.getSpec().getSchedulingGates())
        .withInitContainers(BriefContainers.of(pod.getSpec().getInitContainers()))
        .withContainers(BriefContainers.of(pod.getSpec().getContainers()))
        .withAdditionalProperties(pod.getSpec().getAdditionalProperties())
        .endSpec()
        .withNewStatus()
        .withPhase(pod.getStatus() == null ? null : pod.getStatus().getPhase())
        .withNominatedNodeName(nominated(pod).orElse(null))
        .withStartTime(pod.getStatus() == null ? null : pod.getStatus().getStartTime())
        .withConditions(readiness(pod))
        .endStatus()
        .build();
  }

  private static boolean isOfNodes(Volume volume) {
    return volume.getPersistentVolumeClaim() != null || volume.getEphemeral() != null;
  }

  private static List<PodCondition> readiness(Pod pod) {
    return pod.getStatus() == null
        ? List.of()
        : orEmpty(pod.getStatus().getConditions()).stream()
            .filter(it -> "Ready".equals(it.getType()))
            .toList();
  }

  /** Whether a scheduling gate holds a pod back. */
  public static boolean isGated(Pod pod) {
    return !orEmpty(pod.getSpec().getSchedulingGates()).isEmpty();
  }

  /** Whether the scheduler has found no place for a pod and put it aside. */
  public static boolean isPutAside(Pod pod) {
    return pod.getSpec().getNodeName() == null
        && pod.getStatus() != null
        && orEmpty(pod.getStatus().getConditions()).stream()
            .anyMatch(
                condition ->
                    "PodScheduled".equals(condition.getType())
                        && "Unschedulable".equals(condition.getReason()));
  }

  private static Phase phase(Pod pod) {
    var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return switch (phase == null ? "" : phase) {
      case "Succeeded", "Failed" -> Phase.FINISHED;
      case "Running" -> Phase.RUNNING;
      default -> Phase.PENDING;
    };
  }

  private static PodFacts.Container of(Container container, boolean init, boolean waits) {
    ResourceRequirements resources = container.getResources();
    var asked = new HashMap<String, Long>();
    if (resources != null) {
      asked.putAll(extended(resources.getRequests()));
      asked.putAll(extended(resources.getLimits()));
    }
    // Of pods that are bound, it is not needed any more.
    var image = waits && container.getImage() != null ? container.getImage() : "";
    return new PodFacts.Container(
        container.getName(), init, asked, image.isEmpty() ? "" : ImageNames.canonical(image));
  }

  /** Extended resources are those of a domain. */
  private static Map<String, Long> extended(@Nullable Map<String, Quantity> quantities) {
    return orEmpty(quantities).entrySet().stream()
        .filter(quantity -> quantity.getKey().indexOf('/') > 0)
        .collect(Collectors.toMap(Map.Entry::getKey, quantity -> amount(quantity.getValue())));
  }

  private static long amount(Quantity quantity) {
    return BoundedQuantity.amount(quantity).setScale(0, RoundingMode.CEILING).longValue();
  }
}
