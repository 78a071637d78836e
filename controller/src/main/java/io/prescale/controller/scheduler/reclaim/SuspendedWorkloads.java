package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.SuspendedWork;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Watches the workloads that Prescale has suspended, by their label. For one thread at a time. */
final class SuspendedWorkloads implements AutoCloseable {
  /** The label of a workload that was suspended to give cards back. */
  static final String LABEL = "gpu.prescale.io/suspended";

  /** When it was suspended. */
  static final String AT = "gpu.prescale.io/suspended-at";

  /** What its pods asked for that lost their cards. */
  static final String PODS = "gpu.prescale.io/suspended-pods";

  /** A kind that cannot be read by then holds up the others no longer. */
  private static final Duration LONGEST_START = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final Map<SuspendableKind, KindWatch> watches = new ConcurrentHashMap<>();

  private record KindWatch(
      ResourceDefinitionContext context,
      SharedIndexInformer<GenericKubernetesResource> informer,
      Map<String, GenericKubernetesResource> objects,
      Instant since) {}

  /**
   * One that carries the label.
   *
   * @param context of its kind in the version that is used
   */
  record Marked(
      Suspendable workload, ResourceDefinitionContext context, GenericKubernetesResource object) {
    /** Whether Prescale has suspended it and is to resume it. */
    boolean isToBeResumed() {
      return workload.kind().isSuspended(object) && workload.kind().mayBeSuspended(object);
    }

    private Optional<SuspendedPods> pods() {
      return SuspendedPods.read(annotation(PODS));
    }

    /** When Prescale suspended it; long ago if that is not known. */
    Instant since() {
      try {
        return Instant.parse(annotation(AT));
      } catch (DateTimeParseException _) {
        return Instant.EPOCH;
      }
    }

    private String annotation(String key) {
      var all = object.getMetadata().getAnnotations();
      return all == null ? "" : all.getOrDefault(key, "");
    }
  }

  SuspendedWorkloads(KubernetesClient client) {
    this.client = client;
  }

  /** Watches the kinds that there are, and no others any more. */
  void watch(Map<SuspendableKind, ResourceDefinitionContext> installed, Instant now) {
    for (var kind : Set.copyOf(watches.keySet())) {
      if (!installed.containsKey(kind)) {
        Optional.ofNullable(watches.remove(kind)).ifPresent(watch -> watch.informer().stop());
      }
    }
    installed.forEach((kind, context) -> watches.computeIfAbsent(kind, _ -> start(context, now)));
  }

  private KindWatch start(ResourceDefinitionContext kind, Instant now) {
    var objects = new ConcurrentHashMap<String, GenericKubernetesResource>();
    var informer =
        client
            .genericKubernetesResources(kind)
            .inAnyNamespace()
            .withLabel(LABEL)
            .runnableInformer(0);
    informer.addEventHandler(
        new ObjectEvents<>(
            object -> objects.put(object.getMetadata().getUid(), object),
            object -> objects.remove(object.getMetadata().getUid())));
    informer.exceptionHandler(
        BrokenWatch.retried(informer, "suspended workloads, " + kind.getPlural()));
    informer.start();
    return new KindWatch(kind, informer, objects, now);
  }

  /** Whether all were seen once, so that the oldest one is known. */
  boolean isComplete(Instant now) {
    return !watches.isEmpty()
        && watches.values().stream()
            .allMatch(
                it -> it.informer().hasSynced() || it.since().plus(LONGEST_START).isBefore(now));
  }

  Optional<Marked> find(String key) {
    return all().filter(it -> it.workload().key().equals(key)).findFirst();
  }

  private Stream<Marked> all() {
    return watches.entrySet().stream().flatMap(entry -> all(entry.getKey(), entry.getValue()));
  }

  private static Stream<Marked> all(SuspendableKind kind, KindWatch watch) {
    return watch.objects().values().stream()
        .map(it -> new Marked(Suspendable.of(kind, it.getMetadata()), watch.context(), it));
  }

  /** Those that have the label but are not to be resumed, since others do that or have done it. */
  List<Marked> mislabelled() {
    return all().filter(it -> !it.isToBeResumed()).toList();
  }

  /** Those that are to be resumed. */
  List<Marked> toBeResumed() {
    return all().filter(Marked::isToBeResumed).toList();
  }

  /** What their pods look like, by the workload and the number of the kind of pod. */
  static Map<String, PodFacts> templates(List<Marked> suspended) {
    var templates = new HashMap<String, PodFacts>();
    for (var each : suspended) {
      var pods = each.pods().map(it -> it.templates(each.workload())).orElse(List.of());
      for (int number = 0; number < pods.size(); number++) {
        templates.put(part(each, number), pods.get(number));
      }
    }
    return templates;
  }

  private static String part(Marked workload, int number) {
    return "%s#%d".formatted(workload.workload().key(), number);
  }

  /**
   * The suspended work. Work of which it is unknown what it asked for is of no queue, so that it
   * goes on.
   *
   * @param asks what their pods ask for
   */
  static List<SuspendedWork> work(List<Marked> suspended, Map<String, ReclaimFacts.Ask> asks) {
    return suspended.stream().map(each -> work(each, asks)).toList();
  }

  private static SuspendedWork work(Marked each, Map<String, ReclaimFacts.Ask> asks) {
    var alike = each.pods().map(SuspendedPods::alike).orElse(List.of());
    var shapes = new ArrayList<RequestShape>();
    long milli = 0;
    var queue = "";
    for (int number = 0; number < alike.size(); number++) {
      var ask = asks.get(part(each, number));
      if (ask != null) {
        int pods = alike.get(number).pods();
        shapes.addAll(Collections.nCopies(pods, ask.shape()));
        milli += pods * ask.milli();
        queue = queue.isEmpty() ? ask.queue() : queue;
      }
    }
    return new SuspendedWork(each.workload().key(), queue, shapes, milli, each.since());
  }

  @Override
  public void close() {
    watches.values().forEach(watch -> watch.informer().stop());
  }
}
