package io.prescale.controller.values;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.telemetry.Telemetry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the leader has published last of each PredictiveHPA, as every replica sees it. */
public final class PublishedValues implements ResourceEventHandler<ConfigMap> {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final KubernetesClient client;
  private final String namespace;
  private final InstantSource clock;
  private final ValuePages pages;
  private final Map<String, List<PublishedValue>> byUid = new ConcurrentHashMap<>();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable SharedIndexInformer<ConfigMap> watched;

  /**
   * Nothing yet; it is filled by {@link #watch}.
   *
   * @param client whose requests nothing else delays
   * @param namespace of the ConfigMaps
   */
  public PublishedValues(KubernetesClient client, String namespace, InstantSource clock) {
    this.client = client;
    this.namespace = namespace;
    this.clock = clock;
    this.pages = new ValuePages(client.getKubernetesSerialization());
  }

  /**
   * A publisher for all terms of this process.
   *
   * @param leads whether this replica may write at this moment for the PredictiveHPAs at a position
   * @param turns of writes: those of values do not wait for one
   */
  public ValuePublisher publisher(DoublePredicate leads, Telemetry telemetry, WriteTurns turns) {
    return new ValuePublisher(client, namespace, leads, clock, telemetry, turns);
  }

  /** The ConfigMaps with the values. */
  public FilterWatchListDeletable<ConfigMap, ?, ?> pages() {
    return client.configMaps().inNamespace(namespace).withLabels(ValuePages.LABELS);
  }

  /** A watch of the pages, which has not started. */
  public SharedIndexInformer<ConfigMap> watch() {
    var informer = pages().runnableInformer(0);
    informer.addEventHandler(this);
    watched = informer;
    return informer;
  }

  /** Waits until the pages have been read once; no longer than a time, and not without a watch. */
  public void awaitRead(Duration most) throws InterruptedException {
    var informer = watched;
    var waited = Duration.ZERO;
    while (informer != null && !informer.hasSynced() && waited.compareTo(most) < 0) {
      Thread.sleep(LOOK);
      waited = waited.plus(LOOK);
    }
  }

  /**
   * Calls a listener with the UID of each PredictiveHPA whose values have changed, in the order of
   * the changes.
   */
  public void onChange(Consumer<String> listener) {
    listeners.add(listener);
  }

  /**
   * The PredictiveHPA, with those of its values that are later than its status says, or about which
   * it says nothing yet.
   */
  public PredictiveHPA newest(PredictiveHPA resource) {
    var published = byUid.get(resource.getMetadata().getUid());
    if (published == null) {
      return resource;
    }
    var status = Objects.requireNonNullElse(resource.getStatus(), PredictiveHPAStatus.only(null));
    var unsaid =
        published.stream()
            .map(PublishedValue::metric)
            .filter(name -> status.metrics().stream().noneMatch(it -> it.name().equals(name)))
            .map(MetricStatus::named);
    var metrics = // first the new ones: of the others some may have left the spec
        Stream.concat(unsaid, status.metrics().stream())
            .map(metric -> newest(metric, published))
            .limit(PredictiveHPAStatus.MOST_METRICS)
            .toList();
    return metrics.equals(status.metrics()) ? resource : resource.with(status.with(metrics));
  }

  private static MetricStatus newest(MetricStatus metric, List<PublishedValue> published) {
    return published.stream()
        .reduce(metric, (status, value) -> value.mergedInto(status), (_, it) -> it);
  }

  @Override
  public void onAdd(ConfigMap page) {
    ValuePages.data(page).forEach((uid, text) -> take(page, uid, text));
  }

  @Override
  public void onUpdate(ConfigMap before, ConfigMap now) {
    var known = ValuePages.data(before);
    ValuePages.data(now)
        .forEach(
            (uid, text) -> {
              if (!text.equals(known.get(uid))) {
                take(now, uid, text);
              }
            });
    known.keySet().stream()
        .filter(uid -> !ValuePages.data(now).containsKey(uid))
        .forEach(byUid::remove);
  }

  /** The values that were known stand for as long as they may; the leader writes the page anew. */
  @Override
  public void onDelete(ConfigMap page, boolean finalStateUnknown) {}

  private void take(ConfigMap page, String uid, String text) {
    pages
        .values(page, uid, text, clock.instant())
        .ifPresent(
            values -> {
              byUid.put(uid, values);
              listeners.forEach(listener -> listener.accept(uid));
            });
  }
}
