package io.prescale.controller.scheduler.objects;

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
import io.prescale.controller.cluster.Pages;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.bookings.BookingFeed;
import io.prescale.controller.scheduler.bookings.Bookings;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.NodeAdmission;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.queues.ForeignQueueFeed;
import io.prescale.controller.scheduler.queues.QueueFeed;
import io.prescale.controller.scheduler.queues.QueueReader;
import io.prescale.controller.scheduler.queues.WrittenQueues;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.inventory.NodeInventory;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.notice.ReclaimPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The objects of a cluster at one moment that decide where pods with GPUs go: nodes, pods,
 * namespaces, priority classes, and where they are served GpuQueues, PodGroups, Koordinator's
 * Devices and Topologies, GpuBookings and the queues of others. Others are passed over.
 */
public record ClusterObjects(List<HasMetadata> all, ReadingOptions reading) {
  private static final List<ResourceDefinitionContext> NOT_EVERYWHERE =
      Stream.of(
              List.of(QueueFeed.QUEUES, KoordinatorFeed.DEVICES),
              PodGroupFeed.POD_GROUPS,
              TopologyFeed.KINDS)
          .flatMap(List::stream)
          .toList();

  private static final Set<String> OF_KUBERNETES =
      Set.of("Node", "Pod", "Namespace", "PriorityClass");

  /** Our own, and the words of others for queues and for places near each other. */
  private static final List<String> READ =
      List.of(
          "gpu.prescale.io/",
          "scheduling.volcano.sh/queue-name",
          "leaderworkerset.sigs.k8s.io/",
          "kueue.x-k8s.io/podset-",
          "kai.scheduler/topology-");

  private static final int CANDIDATES = 1;

  /** Objects of a page; a tenant may make each as large as the API server takes. */
  private static final int OF_TENANTS = 50;

  private static final int OF_ADMINISTRATORS = 500;

  public ClusterObjects {
    all = List.copyOf(all);
  }

  public ClusterObjects(List<HasMetadata> all) {
    this(all, ReadingOptions.USUAL);
  }

  /** Reads those of plans from the API server, and changes nothing. */
  public static ClusterObjects read(KubernetesClient client) {
    return read(client, NOT_EVERYWHERE.stream());
  }

  /** Reads bookings too, which plans make themselves, and queues of these systems. */
  public static ClusterObjects readAll(KubernetesClient client, Collection<QueueSource> systems) {
    return read(client, kinds(systems));
  }

  private static Stream<ResourceDefinitionContext> kinds(Collection<QueueSource> systems) {
    var ofPlacing = Stream.concat(NOT_EVERYWHERE.stream(), Stream.of(BookingFeed.BOOKINGS));
    return Stream.concat(ofPlacing, ForeignQueueFeed.kinds(systems));
  }

  private static ClusterObjects read(
      KubernetesClient client, Stream<ResourceDefinitionContext> notEverywhere) {
    var all = new ArrayList<HasMetadata>();
    Pages.each(client.nodes(), OF_ADMINISTRATORS, all::addAll);
    Pages.each(client.namespaces(), OF_ADMINISTRATORS, all::addAll);
    Pages.each(client.scheduling().v1().priorityClasses(), OF_ADMINISTRATORS, all::addAll);
    for (var kind : ServedKind.served(client, notEverywhere.toList())) {
      var objects = client.genericKubernetesResources(kind);
      Pages.each(
          kind.isNamespaceScoped() ? objects.inAnyNamespace() : objects,
          kind.isNamespaceScoped() ? OF_TENANTS : OF_ADMINISTRATORS,
          all::addAll);
    }
    Pages.each(
        client.pods().inAnyNamespace(),
        OF_TENANTS,
        page -> page.stream().map(Facts::placed).forEach(all::add));
    return new ClusterObjects(all);
  }

  /**
   * As a List of Kubernetes, which can be read again; of pods without what containers run and with
   * which environment.
   */
  public String json() {
    return KubernetesJson.of(new KubernetesListBuilder().withItems(all).build());
  }

  /** The objects of a type. */
  public <T extends HasMetadata> Stream<T> of(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast);
  }

  /** Its queues as far as they say whose cards are whose: with their models, and no amounts. */
  public Stream<HasMetadata> queuesWithoutAmounts() {
    return foreign(QueueFeed.QUEUES)
        .map(
            queue -> {
              var copy = new GenericKubernetesResource();
              copy.setApiVersion(queue.getApiVersion());
              copy.setKind(queue.getKind());
              copy.setMetadata(queue.getMetadata());
              var spec = new HashMap<String, Object>();
              for (var field : List.of("parent", "models")) {
                Optional.ofNullable(queue.get("spec", field)).ifPresent(it -> spec.put(field, it));
              }
              copy.setAdditionalProperty("spec", spec);
              return copy;
            });
  }

  /** Whether objects of a kind are among these. */
  public static boolean areRead(String kind) {
    return OF_KUBERNETES.contains(kind)
        || kinds(EnumSet.allOf(QueueSource.class)).anyMatch(it -> it.getKind().equals(kind));
  }

  /** The same as an extender with such options reads them. */
  public ClusterObjects as(ReadingOptions other) {
    return new ClusterObjects(all, other);
  }

  /** Without some pods. */
  public ClusterObjects withoutPods(Predicate<Pod> gone) {
    return new ClusterObjects(
        all.stream().filter(it -> !(it instanceof Pod pod && gone.test(pod))).toList(), reading);
  }

  /** Without some nodes. */
  public ClusterObjects withoutNodes(Predicate<Node> gone) {
    return new ClusterObjects(
        all.stream().filter(it -> !(it instanceof Node node && gone.test(node))).toList(), reading);
  }

  /** The queue of a pod; empty where neither it nor its namespace names one. */
  public Optional<String> queue(Pod pod) {
    return Facts.queue(pod.getMetadata())
        .or(
            () ->
                of(Namespace.class)
                    .filter(
                        it -> it.getMetadata().getName().equals(pod.getMetadata().getNamespace()))
                    .findFirst()
                    .flatMap(it -> Facts.queue(it.getMetadata())));
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
        .filter(pod -> !Facts.isGated(pod))
        .filter(
            pod -> {
              var facts = facts(pod);
              return facts.node().isEmpty() && facts.phase() != Phase.FINISHED;
            });
  }

  /** What is known of a pod. */
  public PodFacts facts(Pod pod) {
    return Facts.of(pod, reading.queues());
  }

  /** What a scheduler's ledger knows of these objects. */
  public Ledger ledger() {
    var ledger = new Ledger(CANDIDATES, levels());
    of(Node.class).map(node -> Facts.of(node, ledger.levels())).forEach(ledger::seen);
    of(Namespace.class)
        .forEach(
            it -> ledger.queueNamed(it.getMetadata().getName(), Facts.queue(it.getMetadata())));
    foreign(KoordinatorFeed.DEVICES)
        .forEach(
            it -> ledger.koordinatorSeen(it.getMetadata().getName(), KoordinatorFeed.spec(it)));
    foreign(PodGroupFeed.POD_GROUPS.getFirst())
        .forEach(it -> PodGroupFeed.report(it, PodGroupFeed.least(it), ledger));
    if (reading.queues() == QueueSource.PRESCALE) {
      ledger.queues(new WrittenQueues().listed(queues()));
    } else {
      ForeignQueueFeed.report(reading.queues(), this::foreign, ledger);
    }
    of(Pod.class).filter(pod -> !Facts.isGated(pod)).map(this::facts).forEach(ledger::seen);
    return ledger;
  }

  /** The devices of each node. */
  public List<NodeInventory> inventories() {
    var devices = new HashMap<String, Optional<String>>();
    foreign(KoordinatorFeed.DEVICES)
        .forEach(it -> devices.put(it.getMetadata().getName(), KoordinatorFeed.spec(it)));
    var levels = levels();
    return of(Node.class)
        .map(node -> Facts.of(node, levels))
        .map(it -> NodeInventory.read(it, devices.getOrDefault(it.name(), Optional.empty())))
        .toList();
  }

  /** The nodes whose labels and taints let a pod in; empty if all do. */
  public Function<Pod, Optional<Set<String>>> admission() {
    return nodeAdmission()::restricted;
  }

  private NodeAdmission nodeAdmission() {
    var admission = new NodeAdmission();
    of(Node.class).forEach(admission::seen);
    return admission;
  }

  /** The GpuBookings that can be kept to. */
  public List<Booking> bookings() {
    var written = foreign(BookingFeed.BOOKINGS).toList();
    var nodes = written.isEmpty() ? new NodeAdmission() : nodeAdmission();
    var bookings = new Bookings(reading.queues(), nodes);
    written.forEach(bookings::seen);
    return bookings.current();
  }

  /** On which terms the queues in force give cards back; those that do not are left out. */
  public Map<String, ReclaimPolicy> policies() {
    var written = new WrittenQueues();
    written.listed(reading.queues() == QueueSource.PRESCALE ? queues() : List.of());
    return written.policies();
  }

  private NetworkLevels levels() {
    return reading
        .levels()
        .orElseGet(() -> TopologyFeed.levels(TopologyFeed.KINDS.stream().flatMap(this::foreign)));
  }

  private List<QueueReader.Written> queues() {
    var reader = new QueueReader();
    return foreign(QueueFeed.QUEUES).map(reader::read).toList();
  }

  private Stream<GenericKubernetesResource> foreign(ResourceDefinitionContext kind) {
    return of(GenericKubernetesResource.class)
        .filter(
            it ->
                it.getKind().equals(kind.getKind())
                    && it.getApiVersion().startsWith(kind.getGroup() + "/"));
  }

  /** Whether an annotation of a pod may decide where it goes; those of others change for others. */
  public static boolean decides(String annotation) {
    return PodFacts.isWish(annotation) || READ.stream().anyMatch(annotation::startsWith);
  }
}
