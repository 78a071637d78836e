package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ServedKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The kinds of workloads that can be suspended, or scaled down: where each has the field, and who
 * else sets it.
 */
enum SuspendableKind {
  JOB("batch", "v1", "Job", "jobs", Field.SPEC, "kubernetes.io/"),
  JOB_SET("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", Field.SPEC, "jobset.sigs.k8s.io/"),
  TRAIN_JOB(
      "trainer.kubeflow.org",
      "v1alpha1",
      "TrainJob",
      "trainjobs",
      Field.SPEC,
      "trainer.kubeflow.org/"),
  RAY_JOB("ray.io", "v1", "RayJob", "rayjobs", Field.SPEC, "ray.io/"),
  MPI_JOB(Kubeflow.GROUP, "v2beta1 v1", "MPIJob", "mpijobs"),
  PYTORCH_JOB(Kubeflow.GROUP, "v1", "PyTorchJob", "pytorchjobs"),
  TF_JOB(Kubeflow.GROUP, "v1", "TFJob", "tfjobs"),
  XGBOOST_JOB(Kubeflow.GROUP, "v1", "XGBoostJob", "xgboostjobs"),
  PADDLE_JOB(Kubeflow.GROUP, "v1", "PaddleJob", "paddlejobs"),
  JAX_JOB(Kubeflow.GROUP, "v1", "JAXJob", "jaxjobs"),
  DEPLOYMENT("apps", "v1", "Deployment", "deployments", Field.REPLICAS, ""),
  LEADER_WORKER_SET(
      "leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", "leaderworkersets", Field.REPLICAS, "");

  private static final String SUSPEND = "suspend";

  /** Conditions of the kinds. */
  private static final Set<String> ENDS = Set.of("Complete", "Completed", "Succeeded", "Failed");

  /** States in which KubeRay does not look whether a RayJob is suspended. */
  private static final Set<String> UNHEEDING =
      Set.of("Waiting", "Complete", "Failed", "ValidationFailed");

  private final String group;
  private final String versions;
  private final String kind;
  private final String plural;
  private final Field field;
  private final String manager;

  /**
   * A kind.
   *
   * @param versions of its API, with spaces between, the preferred one first
   * @param field that holds {@code suspend} and {@code managedBy}
   * @param manager with which the name of its own controller begins
   */
  SuspendableKind(
      String group, String versions, String kind, String plural, Field field, String manager) {
    this.group = group;
    this.versions = versions;
    this.kind = kind;
    this.plural = plural;
    this.field = field;
    this.manager = manager;
  }

  /** A kind of Kubeflow's training operator, or of its MPI operator. */
  SuspendableKind(String group, String versions, String kind, String plural) {
    this(group, versions, kind, plural, Field.RUN_POLICY, Kubeflow.GROUP + "/");
  }

  private static final class Kubeflow {
    static final String GROUP = "kubeflow.org";
  }

  private enum Field {
    SPEC,
    RUN_POLICY,
    REPLICAS;

    Optional<Object> read(GenericKubernetesResource object, String name) {
      return Optional.ofNullable(
          this == RUN_POLICY ? object.get("spec", "runPolicy", name) : object.get("spec", name));
    }

    Map<String, Object> change(Map<String, Object> values) {
      return Map.of("spec", this == RUN_POLICY ? Map.of("runPolicy", values) : values);
    }
  }

  /** The kind of an owner, whatever its version. */
  static Optional<SuspendableKind> of(Owner owner) {
    return Arrays.stream(values())
        .filter(it -> it.kind.equals(owner.kind()) && it.group.equals(owner.group()))
        .findFirst();
  }

  /** One of this kind as an owner, of unknown UID. */
  Owner owner(String name) {
    return new Owner(group, kind, name, "");
  }

  /** Its name in Kubernetes. */
  String kind() {
    return kind;
  }

  /** Its versions, the preferred one first. */
  List<ResourceDefinitionContext> contexts() {
    return Stream.of(versions.split(" ", -1))
        .map(version -> ServedKind.of(group, version, kind, plural, true))
        .toList();
  }

  /** Whether it is scaled down by as many pods as leave, and cannot be suspended. */
  boolean isElastic() {
    return field == Field.REPLICAS;
  }

  /** Whether none of its pods leaves without the others. */
  boolean endsAsAWhole() {
    return this != JOB && !isElastic();
  }

  /** Whether it is suspended, by its owner or by Prescale, or scaled down by Prescale. */
  boolean isSuspended(GenericKubernetesResource object) {
    return isElastic() ? ScaledReplicas.of(object).isPresent() : isHeldBack(object);
  }

  private boolean isHeldBack(GenericKubernetesResource object) {
    return field.read(object, SUSPEND).filter(Boolean.TRUE::equals).isPresent();
  }

  /** What is written to suspend one. */
  Map<String, Object> suspension() {
    return field.change(Map.of(SUSPEND, true));
  }

  /** What is written to let one go on. */
  Map<String, Object> resumption(GenericKubernetesResource object) {
    return isElastic()
        ? ScaledReplicas.of(object).orElseThrow().undone()
        : field.change(Map.of(SUSPEND, false));
  }

  /** Whether Prescale may suspend one and let it go on. */
  boolean mayBeSuspended(GenericKubernetesResource object) {
    return !isOfOthers(object) && (this != RAY_JOB || hasClusterOfItsOwn(object));
  }

  /**
   * Whether its controller heeds a suspension no more, since the work has ended. Pods may be left:
   * the MPI operator keeps them by default, KubeRay for {@code ttlSecondsAfterFinished}.
   */
  boolean isOver(GenericKubernetesResource object) {
    boolean hasEnded =
        object.get("status", "conditions") instanceof List<?> all
            && all.stream().anyMatch(SuspendableKind::isEnd);
    return hasEnded
        || (this == RAY_JOB
            && object.get("status", "jobDeploymentStatus") instanceof String status
            && UNHEEDING.contains(status));
  }

  private static boolean isEnd(Object condition) {
    return condition instanceof Map<?, ?> it
        && "True".equals(it.get("status"))
        && it.get("type") instanceof String type
        && ENDS.contains(type);
  }

  /**
   * Whether another controller decides when it runs: Kueue, a JobSet, a controlling owner (but not
   * the CronJob of a Job), or one that it names itself.
   */
  private boolean isOfOthers(GenericKubernetesResource object) {
    var meta = object.getMetadata();
    return PodTerms.isOfOthers(meta)
        || Owner.controlling(meta).filter(owner -> !isCronJobOfThis(owner)).isPresent()
        || field
            .read(object, "managedBy")
            .filter(by -> !by.toString().startsWith(manager))
            .isPresent();
  }

  private boolean isCronJobOfThis(Owner owner) {
    return this == JOB && owner.kind().equals("CronJob");
  }

  /**
   * KubeRay fails a suspended RayJob that keeps its cluster, or that uses the cluster of others.
   */
  private static boolean hasClusterOfItsOwn(GenericKubernetesResource rayJob) {
    return Boolean.TRUE.equals(rayJob.get("spec", "shutdownAfterJobFinishes"))
        && !(rayJob.get("spec", "clusterSelector") instanceof Map<?, ?> selector
            && !selector.isEmpty());
  }
}
