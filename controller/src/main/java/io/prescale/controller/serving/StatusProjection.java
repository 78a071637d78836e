package io.prescale.controller.serving;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.CurrentWatch;
import io.prescale.controller.operator.hpa.HpaWish;
import io.prescale.controller.serving.ServedFromStatus.Published;
import io.prescale.controller.values.PublishedValues;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Projects what is published of all PredictiveHPAs, and their statuses, into the adapter's read
 * model, in leader and followers alike. While the API server cannot be reached, the model keeps its
 * values, which age.
 */
public final class StatusProjection implements ResourceEventHandler<PredictiveHPA>, AutoCloseable {
  private static final String CUT_OFF =
      "no watch of PredictiveHPAs or published values has been open for longer than a value lives";

  /** The default of {@code spec.fallback.ttl}. */
  private static final Duration USUAL_LIFE = Duration.ofMinutes(15);

  private final MetricReadModel model;
  private final PublishedValues values;
  private final List<CurrentWatch> watches;

  /** The PredictiveHPAs, by UID. */
  private final Map<String, PredictiveHPA> known = new ConcurrentHashMap<>();

  /**
   * A projection that has not started.
   *
   * @param namespaces namespaces to watch; empty for all
   * @param values what is published of the PredictiveHPAs
   * @param others further handlers to notify of every PredictiveHPA
   */
  public static StatusProjection of(
      KubernetesClient client,
      Set<String> namespaces,
      MetricReadModel model,
      PublishedValues values,
      List<ResourceEventHandler<PredictiveHPA>> others,
      InstantSource clock) {
    var all = client.resources(PredictiveHPA.class);
    var watched =
        namespaces.isEmpty()
            ? List.of(all.inAnyNamespace())
            : namespaces.stream().map(all::inNamespace).toList();
    var informers = new ArrayList<SharedIndexInformer<PredictiveHPA>>();
    var watches = new ArrayList<CurrentWatch>();
    for (var some : watched) {
      var informer = some.withLimit(BriefObjects.PAGE).runnableInformer(0);
      informers.add(informer);
      watches.add(CurrentWatch.of("PredictiveHPAs", informer, some, clock));
    }
    watches.add(CurrentWatch.of("published values", values.watch(), values.pages(), clock));
    var projection = new StatusProjection(model, values, watches);
    for (var informer : informers) {
      informer.addEventHandler(projection);
      others.forEach(informer::addEventHandler);
    }
    return projection;
  }

  StatusProjection(MetricReadModel model, PublishedValues values, List<CurrentWatch> watches) {
    this.model = model;
    this.values = values;
    this.watches = List.copyOf(watches);
    values.onChange(uid -> known.computeIfPresent(uid, (_, resource) -> projected(resource)));
  }

  /** Starts watching. */
  public void start() {
    watches.forEach(CurrentWatch::start);
  }

  /**
   * Why this replica should not answer: see {@link CurrentWatch#fault}, or it has been without all
   * of its watches for longer than any value lives, so that another replica can only have more. In
   * an outage of the API server this is so of all of them, and each answer would be an error.
   */
  public Optional<String> fault() {
    return CurrentWatch.faults(watches).stream()
        .findFirst()
        .or(() -> Optional.of(CUT_OFF).filter(_ -> isCutOff()));
  }

  private boolean isCutOff() {
    var without =
        watches.stream()
            .map(CurrentWatch::interruptedFor)
            .min(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return without.isPositive() && without.compareTo(longestLife()) > 0;
  }

  /** For how long a value of those that are known may be served; at least as long as usual. */
  private Duration longestLife() {
    return known.values().stream()
        .map(values::newest)
        .flatMap(resource -> Stream.ofNullable(resource.getStatus()))
        .flatMap(status -> status.metrics().stream())
        .flatMap(metric -> Stream.ofNullable(metric.ttlSeconds()))
        .map(Duration::ofSeconds)
        .reduce(USUAL_LIFE, (a, b) -> a.compareTo(b) > 0 ? a : b);
  }

  @Override
  public void close() {
    watches.forEach(CurrentWatch::close);
  }

  @Override
  public void onAdd(PredictiveHPA added) {
    project(added);
  }

  @Override
  public void onUpdate(PredictiveHPA before, PredictiveHPA now) {
    var kept = ServedFromStatus.metrics(values.newest(now)).collect(toSet());
    if (Objects.equals(before.getMetadata().getUid(), now.getMetadata().getUid())) {
      withdraw(before, kept, now);
    } else {
      withdraw(before, kept, null); // made anew under its name
      project(now);
    }
  }

  @Override
  public void onDelete(PredictiveHPA deleted, boolean finalStateUnknown) {
    withdraw(deleted, Set.of(), null);
  }

  /** At once with what comes after, or a value that comes meanwhile would serve it again. */
  private void withdraw(PredictiveHPA before, Set<String> kept, @Nullable PredictiveHPA now) {
    known.compute(
        before.getMetadata().getUid(),
        (_, _) -> {
          withdraw(before, kept);
          return now == null ? null : projected(now);
        });
  }

  /** One event of an object at a time, so that an earlier value never replaces a later one. */
  private void project(PredictiveHPA resource) {
    known.compute(resource.getMetadata().getUid(), (_, _) -> projected(resource));
  }

  private PredictiveHPA projected(PredictiveHPA resource) {
    publish(model, values.newest(resource));
    return resource;
  }

  /** Publishes what a status says. */
  public static void publish(MetricReadModel model, PredictiveHPA resource) {
    ServedFromStatus.of(resource).forEach((metric, it) -> publish(model, resource, metric, it));
  }

  private static void publish(
      MetricReadModel model, PredictiveHPA resource, String metric, Published published) {
    var key = key(resource, metric);
    var source = resource.getMetadata().getName();
    published.value().ifPresent(value -> model.publish(key, source, value));
    published
        .problem()
        .ifPresent(problem -> model.refuse(key, source, ServedFromStatus.labels(source), problem));
  }

  private void withdraw(PredictiveHPA resource, Set<String> kept) {
    ServedFromStatus.metrics(values.newest(resource))
        .filter(metric -> !kept.contains(metric))
        .forEach(metric -> model.withdraw(key(resource, metric), resource.getMetadata().getName()));
  }

  /** The selector with which its HPA asks. */
  public static String selector(PredictiveHPA resource) {
    return HpaWish.SELECTOR_LABEL + "=" + resource.getMetadata().getName();
  }

  /** The key of one of its metrics. */
  public static MetricKey key(PredictiveHPA resource, String metric) {
    return new MetricKey(resource.getMetadata().getNamespace(), metric);
  }
}
