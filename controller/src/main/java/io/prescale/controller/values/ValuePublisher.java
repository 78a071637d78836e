package io.prescale.controller.values;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ApiServerFaults;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.fairness.WriteTurns.Urgency;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.telemetry.Telemetry.Outcome;
import io.prescale.controller.telemetry.Telemetry.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what the leader decides: each page at once, and then at most every two seconds with all
 * that has come meanwhile. A write is about the version of the page that was seen, so that one of
 * an earlier leader is refused; a later value is never replaced by an earlier one. Thread-safe.
 */
public final class ValuePublisher implements AutoCloseable {
  /** The name of one of the ConfigMaps, to check permissions with. */
  public static final String ANY_PAGE = ValuePages.name(0);

  private static final Logger LOG = LoggerFactory.getLogger(ValuePublisher.class);

  /** A page has values of many namespaces; none of these, nor Prescale's own, is charged for it. */
  private static final String NO_TENANT = "";

  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(2);
  private static final Duration AFTER_CONFLICT = Duration.ofMillis(100);
  private static final Duration WHILE_ANOTHER_LEADS = Duration.ofSeconds(1);
  private static final int MOST_CONFLICTS = 3;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  private final ApiServerFaults faults =
      new ApiServerFaults("Values cannot be published", "Values are published again");
  private final KubernetesClient client;
  private final String namespace;
  private final DoublePredicate leads;
  private final InstantSource clock;
  private final Telemetry telemetry;
  private final WriteTurns turns;
  private final ValuePages form;
  private final List<Page> pages =
      IntStream.range(0, ValuePages.COUNT).mapToObj(Page::new).toList();
  private final ExecutorService writing = Executors.newVirtualThreadPerTaskExecutor();

  /** See {@link PublishedValues#publisher}. */
  ValuePublisher(
      KubernetesClient client,
      String namespace,
      DoublePredicate leads,
      InstantSource clock,
      Telemetry telemetry,
      WriteTurns turns) {
    this.client = client;
    this.namespace = namespace;
    this.leads = leads;
    this.clock = clock;
    this.telemetry = telemetry;
    this.turns = turns;
    this.form = new ValuePages(client.getKubernetesSerialization());
  }

  /** Publishes the values of a status; returns before they are written. */
  public void publish(PredictiveHPA resource, PredictiveHPAStatus status) {
    var uid = resource.getMetadata().getUid();
    var now = clock.instant();
    var values =
        status.metrics().stream()
            .flatMap(metric -> PublishedValue.of(metric).stream())
            .filter(value -> value.mayBeServed(now))
            .toList();
    if (!values.isEmpty()) {
      page(uid).add(uid, values);
    }
  }

  /**
   * The position of a PredictiveHPA among all, from 0 to 1, the same every time. Those that are
   * close share a page, so that it is cheapest to tick them one after the other.
   */
  public static double position(String uid) {
    return ValuePages.position(uid);
  }

  /** Whether published values reach the replicas: the last attempt to write the page succeeded. */
  public boolean reaches(PredictiveHPA resource) {
    return page(resource.getMetadata().getUid()).isWritten;
  }

  private Page page(String uid) {
    return pages.get(ValuePages.of(uid));
  }

  @Override
  public void close() {
    writing.shutdownNow();
  }

  /** One ConfigMap. It has a writer for as long as there is something to write. */
  private final class Page {
    private final String name;
    private final BooleanSupplier mayWrite;
    private final Map<String, List<PublishedValue>> unwritten = new HashMap<>();
    private boolean isBeingWritten;
    private volatile boolean isWritten;

    /** The version that this replica last wrote. */
    private @Nullable ConfigMap known;

    private int conflicts;

    Page(int number) {
      this.name = ValuePages.name(number);
      this.mayWrite = () -> leads.test(ValuePages.position(number));
    }

    synchronized void add(String uid, List<PublishedValue> values) {
      unwritten.put(uid, values);
      if (!isBeingWritten) {
        isBeingWritten = true;
        writing.execute(this::writeAll);
      }
    }

    private void writeAll() {
      try {
        while (hasWork()) {
          Thread.sleep(mayWrite.getAsBoolean() ? write(take()) : whileAnotherLeads());
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt(); // the process ends
      }
    }

    /** Whether there is something to write; otherwise the writer ends. */
    private synchronized boolean hasWork() {
      var now = clock.instant();
      unwritten.values().removeIf(values -> values.stream().noneMatch(it -> it.mayBeServed(now)));
      isBeingWritten = !unwritten.isEmpty();
      return isBeingWritten;
    }

    private synchronized Map<String, List<PublishedValue>> take() {
      var next = Map.copyOf(unwritten);
      unwritten.clear();
      return next;
    }

    /** A replica that leads again soon writes what it has; later values of others stand. */
    private Duration whileAnotherLeads() {
      isWritten = false;
      return WHILE_ANOTHER_LEADS;
    }

    private synchronized void putBack(Map<String, List<PublishedValue>> values) {
      values.forEach(unwritten::putIfAbsent);
    }

    /** Writes, and gives the time until the next write; what could not be written is kept. */
    private Duration write(Map<String, List<PublishedValue>> values) {
      turns.take(NO_TENANT, Urgency.AT_ONCE);
      try {
        known = replace(values);
        isWritten = true;
        conflicts = 0;
        telemetry.wrote(Write.VALUES, Outcome.OK);
        faults.succeeded("ConfigMap " + name, clock.instant()).ifPresent(LOG::info);
        return BETWEEN_WRITES;
      } catch (KubernetesClientException e) {
        putBack(values);
        return failed(e, ApiFailure.isConflict(e));
      } catch (RuntimeException e) { // a defect must not silence the page
        LOG.error("ConfigMap {} could not be written", name, e);
        return failed(e, false);
      }
    }

    private Duration failed(RuntimeException failure, boolean isConflict) {
      known = null;
      conflicts = isConflict ? conflicts + 1 : 0;
      telemetry.wrote(Write.VALUES, isConflict ? Outcome.CONFLICT : Outcome.FAILED);
      if (isConflict && conflicts < MOST_CONFLICTS) {
        return AFTER_CONFLICT;
      }
      if (failure instanceof KubernetesClientException) {
        faults.failed("ConfigMap " + name, failure, clock.instant()).ifPresent(LOG::warn);
      }
      isWritten = false;
      return AFTER_FAILURE;
    }

    private ConfigMap replace(Map<String, List<PublishedValue>> values) {
      var present = known != null ? known : configMap().get();
      var data = data(present, values);
      if (present == null) {
        return client.configMaps().inNamespace(namespace).resource(page(data)).create();
      }
      // Of what another tool wrote, such as Helm's labels, nothing is lost.
      var next =
          new ConfigMapBuilder(present)
              .editMetadata()
              .addToLabels(ValuePages.LABELS)
              .endMetadata()
              .withData(data)
              .build();
      return client.configMaps().inNamespace(namespace).resource(next).update();
    }

    private ConfigMap page(Map<String, String> data) {
      return new ConfigMapBuilder()
          .withNewMetadata()
          .withNamespace(namespace)
          .withName(name)
          .withLabels(ValuePages.LABELS)
          .endMetadata()
          .withData(data)
          .build();
    }

    private Resource<ConfigMap> configMap() {
      return client.configMaps().inNamespace(namespace).withName(name);
    }

    /** The later of what the page has and what is to be written, without what has expired. */
    private Map<String, String> data(
        @Nullable ConfigMap present, Map<String, List<PublishedValue>> values) {
      var all =
          present == null
              ? new HashMap<String, List<PublishedValue>>()
              : form.read(present, clock.instant());
      values.forEach((uid, it) -> all.merge(uid, it, ValuePublisher::later));
      var data = new HashMap<String, String>();
      all.forEach((uid, it) -> data.put(uid, form.text(it)));
      return data;
    }
  }

  /** What was computed last: an earlier leader knows nothing that a later one does not. */
  private static List<PublishedValue> later(List<PublishedValue> old, List<PublishedValue> now) {
    return newest(old).isAfter(newest(now)) ? old : now;
  }

  private static Instant newest(List<PublishedValue> values) {
    return values.stream()
        .map(PublishedValue::servedAt)
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }
}
