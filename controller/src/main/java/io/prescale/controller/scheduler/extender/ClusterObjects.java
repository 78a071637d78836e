package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesListBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The objects of a cluster at one moment that decide where pods with GPUs go: nodes, pods,
 * namespaces, priority classes, and where they are served GpuQueues, PodGroups and Koordinator's
 * Devices. Others are passed over.
 */
public record ClusterObjects(List<HasMetadata> all) {
  private static final List<ResourceDefinitionContext> NOT_EVERYWHERE =
      List.of(QueueFeed.QUEUES, PodGroupFeed.POD_GROUPS, KoordinatorFeed.DEVICES);

  private static final int CANDIDATES = 1;

  public ClusterObjects {
    all = List.copyOf(all);
  }

  /** Reads them from the API server, and changes nothing. */
  public static ClusterObjects read(KubernetesClient client) {
    var all = new ArrayList<HasMetadata>();
    all.addAll(client.nodes().list().getItems());
    all.addAll(client.namespaces().list().getItems());
    all.addAll(client.scheduling().v1().priorityClasses().list().getItems());
    for (var kind : NOT_EVERYWHERE) {
      if (ServedKind.isServed(client, kind)) {
        var objects = client.genericKubernetesResources(kind);
        all.addAll(
            (kind.isNamespaceScoped() ? objects.inAnyNamespace() : objects).list().getItems());
      }
    }
    client.pods().inAnyNamespace().list().getItems().stream().map(Facts::placed).forEach(all::add);
    return new ClusterObjects(all);
  }

  /**
   * As a List of Kubernetes, which can be read again; of pods without what containers run and with
   * which environment.
   */
  public String json() {
    return KubernetesJson.of(new KubernetesListBuilder().withItems(all).build());
  }

  /**
   * These objects, all of which can be read.
   *
   * @throws IllegalArgumentException or NullPointerException if one cannot
   */
  public ClusterObjects checked() {
    ledger();
    of(Pod.class).forEach(Facts::of);
    return this;
  }

  /** The objects of a type. */
  public <T extends HasMetadata> Stream<T> of(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast);
  }

  /** The value of a priority class; empty when there is none of the name. */
  public Optional<Integer> priority(String name) {
    return of(PriorityClass.class)
        .filter(it -> it.getMetadata().getName().equals(name))
        .map(PriorityClass::getValue)
        .findFirst();
  }

  /** The value of the priority class of pods that name none; empty when no class says so. */
  public Optional<Integer> usualPriority() {
    return of(PriorityClass.class)
        .filter(it -> Boolean.TRUE.equals(it.getGlobalDefault()))
        .map(PriorityClass::getValue)
        .findFirst();
  }

  /** The pods that wait for the scheduler. */
  public Stream<Pod> waiting() {
    return of(Pod.class)
        .filter(pod -> !isGated(pod))
        .filter(
            pod -> {
              var facts = Facts.of(pod);
              return facts.node().isEmpty() && facts.phase() != Phase.FINISHED;
            });
  }

  /** Whether a scheduling gate holds a pod back. */
  public static boolean isGated(Pod pod) {
    return Facts.isGated(pod);
  }

  /** What a scheduler's ledger knows of these objects. */
  public Ledger ledger() {
    var ledger = new Ledger(CANDIDATES);
    of(Node.class).map(node -> Facts.of(node, ledger.levels())).forEach(ledger::seen);
    of(Namespace.class)
        .forEach(
            it -> ledger.namespaceSeen(it.getMetadata().getName(), Facts.queue(it.getMetadata())));
    foreign(KoordinatorFeed.DEVICES)
        .forEach(
            it -> ledger.koordinatorSeen(it.getMetadata().getName(), KoordinatorFeed.spec(it)));
    foreign(PodGroupFeed.POD_GROUPS)
        .forEach(it -> PodGroupFeed.report(it, PodGroupFeed.least(it), ledger));
    var reader = new QueueReader();
    ledger.queues(new WrittenQueues().listed(foreign(QueueFeed.QUEUES).map(reader::read).toList()));
    of(Pod.class).filter(pod -> !isGated(pod)).map(Facts::of).forEach(ledger::seen);
    return ledger;
  }

  private Stream<GenericKubernetesResource> foreign(ResourceDefinitionContext kind) {
    return of(GenericKubernetesResource.class)
        .filter(
            it ->
                it.getKind().equals(kind.getKind())
                    && it.getApiVersion().startsWith(kind.getGroup() + "/"));
  }

  /** What the ledger reads of a pod. */
  public static PodFacts facts(Pod pod) {
    return Facts.of(pod);
  }
}
