package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.SuspendedWork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Watches the workloads that Prescale has suspended or scaled down, by their label. Not
 * thread-safe.
 */
final class SuspendedWorkloads implements AutoCloseable {
  /** The label of a workload that was suspended, or scaled down, to give cards back. */
  static final String LABEL = "gpu.prescale.io/suspended";

  /** When it was suspended. */
  static final String AT = "gpu.prescale.io/suspended-at";

  /** What its pods asked for that lost their cards. */
  static final String PODS = "gpu.prescale.io/suspended-pods";

  /** A kind that cannot be read by then holds up the others no longer. */
  private static final Duration LONGEST_START = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final Map<SuspendableKind, KindWatch> watches = new ConcurrentHashMap<>();

  /** How many are looked at in a round; of more, others in each. Users may write any number. */
  private static final int MOST_LOOKED_AT = 200;

  private record KindWatch(
      ResourceDefinitionContext context,
      SharedIndexInformer<GenericKubernetesResource> informer,
      Instant since) {}

  /**
   * One that carries the label.
   *
   * @param context of its kind in the version that is used
   * @param since when Prescale suspended it; long ago if that is not known
   */
  record Marked(
      Suspendable workload,
      ResourceDefinitionContext context,
      GenericKubernetesResource object,
      Instant since) {
    private static final Comparator<Marked> ORDER =
        Comparator.comparing(Marked::since).thenComparing(it -> it.workload().key());

    static Marked of(
        SuspendableKind kind, ResourceDefinitionContext context, GenericKubernetesResource object) {
      return new Marked(
          Suspendable.of(kind, object.getMetadata()),
          context,
          object,
          SuspendedWorkloads.since(object));
    }

    /** The pods that it had; empty if what is written of them makes no sense. O(length). */
    Optional<SuspendedPods> pods() {
      return SuspendedPods.of(object);
    }

    /** Whether Prescale has suspended it and is to resume it. */
    boolean isToBeResumed() {
      return workload.kind().isSuspended(object) && workload.kind().mayBeSuspended(object);
    }
  }

  /** When Prescale suspended a workload; long ago if that is not known. */
  static Instant since(GenericKubernetesResource object) {
    return WrittenTime.read(annotation(object, AT)).orElse(Instant.EPOCH);
  }

  static String annotation(GenericKubernetesResource object, String key) {
    return orEmpty(object.getMetadata().getAnnotations()).getOrDefault(key, "");
  }

  SuspendedWorkloads(KubernetesClient client) {
    this.client = client;
  }

  /** Watches the kinds that there are, in these versions, and no others any more. */
  void watch(Map<SuspendableKind, ResourceDefinitionContext> installed, Instant now) {
    for (var entry : Map.copyOf(watches).entrySet()) {
      var version = Optional.ofNullable(installed.get(entry.getKey())).map(it -> it.getVersion());
      if (!version.equals(Optional.of(entry.getValue().context().getVersion()))) {
        watches.remove(entry.getKey());
        entry.getValue().informer().stop();
      }
    }
    installed.forEach((kind, context) -> watches.computeIfAbsent(kind, _ -> start(context, now)));
  }

  private KindWatch start(ResourceDefinitionContext context, Instant now) {
    var informer =
        client
            .genericKubernetesResources(context)
            .inAnyNamespace()
            .withLabel(LABEL)
            .withLimit(BriefObjects.PAGE)
            .runnableInformer(0);
    informer.itemStore(BriefObjects.small(SuspendedInBrief::of));
    informer.exceptionHandler(
        BrokenWatch.retried(informer, "suspended workloads, " + context.getPlural()));
    informer.start();
    return new KindWatch(context, informer, now);
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
    return watches.entrySet().stream().flatMap(it -> all(it.getKey(), it.getValue()));
  }

  private static Stream<Marked> all(SuspendableKind kind, KindWatch watch) {
    return watch.informer().getStore().list().stream()
        .map(object -> Marked.of(kind, watch.context(), object));
  }

  /** Those that have the label but are not to be resumed, since others do that or have done it. */
  List<Marked> mislabelled() {
    return all().filter(it -> !it.isToBeResumed()).toList();
  }

  /** Those that are to be resumed, the oldest first; of many those whose turn it is. */
  List<Marked> toBeResumed(Instant now) {
    var all = new ArrayList<>(all().filter(Marked::isToBeResumed).sorted(Marked.ORDER).toList());
    if (all.size() > MOST_LOOKED_AT) {
      long first = now.getEpochSecond() * MOST_LOOKED_AT;
      Collections.rotate(all, -(int) Math.floorMod(first, (long) all.size()));
    }
    return all.stream().limit(MOST_LOOKED_AT).toList();
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
    var milli = new HashMap<String, Long>();
    for (int number = 0; number < alike.size(); number++) {
      var ask = asks.get(part(each, number));
      if (ask != null) {
        int pods = alike.get(number).pods();
        shapes.addAll(Collections.nCopies(pods, ask.shape()));
        milli.merge(ask.queue(), pods * ask.milli(), Long::sum);
      }
    }
    return new SuspendedWork(each.workload().key(), milli, shapes, each.since());
  }

  @Override
  public void close() {
    watches.values().forEach(watch -> watch.informer().stop());
  }
}
