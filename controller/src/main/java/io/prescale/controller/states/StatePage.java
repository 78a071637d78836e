package io.prescale.controller.states;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ApiServerFaults;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.telemetry.Telemetry.Outcome;
import io.prescale.controller.telemetry.Telemetry.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ConfigMap of {@link SavedStates}. It is patched by entry, at most once in a pause with all
 * that has come meanwhile, and only as it was read, so that what a former leader sent late is
 * refused. Thread-safe.
 */
final class StatePage {
  /** The API server refuses 1 MiB. */
  static final int MOST_BYTES = 900_000;

  private static final Logger LOG = LoggerFactory.getLogger(StatePage.class);

  /** How long a read page is shared before it is read again. */
  private static final Duration READ_FOR = Duration.ofMinutes(1);

  /** No cycle goes on from an older state; it is that of a PredictiveHPA that is gone. */
  private static final Duration KEPT_FOR = Duration.ofDays(2);

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final Telemetry telemetry;
  private final Duration pause;
  private final Executor writing;
  private final ApiServerFaults faults;

  /** Whether another replica may have written it since it was read. */
  private volatile boolean isOutdated;

  private final Object reading = new Object();
  private Instant readAt = Instant.MIN;
  private Map<String, byte[]> read = Map.of();

  /** What is to be written, by UID; empty to be removed. */
  private final Map<String, Optional<byte[]>> unwritten = new HashMap<>();

  private boolean isBeingWritten;
  private boolean isFull;

  /**
   * A page that was not looked at yet.
   *
   * @param leads whether this replica may write at this moment
   * @param pause before each write
   * @param writing runs one long task while there is something to write
   * @param faults of writes, shared by all pages
   */
  StatePage(
      KubernetesClient client,
      String namespace,
      String name,
      BooleanSupplier leads,
      InstantSource clock,
      Telemetry telemetry,
      Duration pause,
      Executor writing,
      ApiServerFaults faults) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.leads = leads;
    this.clock = clock;
    this.telemetry = telemetry;
    this.pause = pause;
    this.writing = writing;
    this.faults = faults;
  }

  /** What was saved; each state that was read is given once, so that its memory is free then. */
  Optional<SavedTarget> read(String uid) {
    synchronized (reading) {
      var now = clock.instant();
      if (isOutdated || readAt.plus(READ_FOR).isBefore(now)) {
        isOutdated = false; // before the request, during which another replica may write again
        readAt = Instant.MIN; // should it fail
        read = new HashMap<>(entries(get()));
        readAt = now;
      }
      return Optional.ofNullable(read.remove(uid)).flatMap(SavedTarget::of);
    }
  }

  /** Has the page read again, by the next that asks for a state; never waits for a request. */
  void outdate() {
    isOutdated = true;
  }

  private Optional<ConfigMap> get() {
    try {
      return Optional.ofNullable(client.configMaps().inNamespace(namespace).withName(name).get());
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isLasting(e)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static Map<String, byte[]> entries(Optional<ConfigMap> page) {
    var entries = new HashMap<String, byte[]>();
    page.map(ConfigMap::getBinaryData)
        .ifPresent(data -> data.forEach((uid, text) -> entries.put(uid, decoded(text))));
    return entries;
  }

  /** The API server admits no other text, and a mock of one leaves null for what was removed. */
  private static byte[] decoded(@Nullable String text) {
    return text == null ? new byte[0] : Base64.getDecoder().decode(text);
  }

  /** Writes a state, or removes it; returns before that is done. */
  synchronized void write(String uid, Optional<byte[]> state) {
    unwritten.put(uid, state);
    if (!isBeingWritten) {
      isBeingWritten = true;
      writing.execute(this::writeAll);
    }
  }

  private void writeAll() {
    try {
      do {
        Thread.sleep(pause);
        writeOnce(take());
      } while (hasMore());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the process ends
    }
  }

  private synchronized Map<String, Optional<byte[]>> take() {
    var next = Map.copyOf(unwritten);
    unwritten.clear();
    return next;
  }

  /** Whether there is something to write; otherwise the writer ends. */
  private synchronized boolean hasMore() {
    isBeingWritten = !unwritten.isEmpty();
    return isBeingWritten;
  }

  /** What cannot be written is kept while that may pass; the next refit has a newer state. */
  private void writeOnce(Map<String, Optional<byte[]>> states) {
    try {
      var page = get();
      if (!leads.getAsBoolean()) {
        return; // who leads has states of its own
      }
      var present = entries(page);
      var changes = new HashMap<String, Optional<byte[]>>();
      present.entrySet().stream()
          .filter(it -> isOver(it.getValue()))
          .forEach(it -> changes.put(it.getKey(), Optional.empty()));
      present.keySet().removeAll(changes.keySet());
      changes.putAll(fitting(states, present));
      if (page.isPresent()) {
        patch(page.get(), changes);
      } else {
        create(changes);
      }
      isFull = isFull && !changes.keySet().containsAll(states.keySet());
      telemetry.wrote(Write.STATES, Outcome.OK);
      faults.succeeded("ConfigMap " + name, clock.instant()).ifPresent(LOG::info);
    } catch (KubernetesClientException e) {
      boolean isConflict = ApiFailure.isConflict(e);
      telemetry.wrote(Write.STATES, isConflict ? Outcome.CONFLICT : Outcome.FAILED);
      if (!isConflict) {
        faults.failed("ConfigMap " + name, e, clock.instant()).ifPresent(LOG::warn);
      }
      if (!ApiFailure.isLasting(e)) {
        putBack(states);
      }
    } catch (RuntimeException e) { // a defect must not silence the page
      LOG.error("ConfigMap {} could not be written", name, e);
    }
  }

  private boolean isOver(byte[] state) {
    var now = clock.instant();
    return SavedTarget.of(state)
        .map(SavedTarget::savedAt)
        .filter(at -> at.isAfter(now.minus(KEPT_FOR)) && at.isBefore(now.plus(KEPT_FOR)))
        .isEmpty();
  }

  private synchronized void putBack(Map<String, Optional<byte[]>> states) {
    states.forEach(unwritten::putIfAbsent);
  }

  /**
   * Those for which there is room beside what the page has; what it has of the rest stays. A
   * namespace has more room while it takes less than is free, so that there is some for others.
   */
  private Map<String, Optional<byte[]>> fitting(
      Map<String, Optional<byte[]>> states, Map<String, byte[]> present) {
    var fitting = new HashMap<String, Optional<byte[]>>();
    var taken = new HashMap<String, Integer>();
    present.values().forEach(it -> taken.merge(namespace(it), it.length, Integer::sum));
    for (var state : states.entrySet()) {
      int had = Optional.ofNullable(present.get(state.getKey())).map(it -> it.length).orElse(0);
      int has = state.getValue().map(it -> it.length).orElse(0);
      var whose = state.getValue().map(StatePage::namespace).orElse("");
      int own = taken.getOrDefault(whose, 0) - had;
      int free = MOST_BYTES - taken.values().stream().mapToInt(it -> it).sum() + had;
      if (has <= had || (own < free && has <= free)) {
        fitting.put(state.getKey(), state.getValue());
        taken.put(whose, own + has);
      } else {
        warnOfNoRoom(whose);
      }
    }
    return fitting;
  }

  private static String namespace(byte[] state) {
    return SavedTarget.namespace(state).orElse("");
  }

  private void patch(ConfigMap page, Map<String, Optional<byte[]>> changes) {
    var data = JsonNodeFactory.instance.objectNode();
    changes.forEach(
        (uid, state) ->
            state.ifPresentOrElse(bytes -> data.put(uid, bytes), () -> data.putNull(uid)));
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", page.getMetadata().getResourceVersion());
    patch.set("binaryData", data);
    MergePatch.send(client, named(), patch.toString());
  }

  private void create(Map<String, Optional<byte[]>> changes) {
    var data = new HashMap<String, String>();
    changes.forEach(
        (uid, state) ->
            state.ifPresent(it -> data.put(uid, Base64.getEncoder().encodeToString(it))));
    var page = named();
    page.setBinaryData(data);
    client.resource(page).create();
  }

  private ConfigMap named() {
    return MergePatch.named(new ConfigMap(), namespace, name);
  }

  private void warnOfNoRoom(String whose) {
    if (!isFull) {
      LOG.warn(
          "ConfigMap {} has no more room for namespace {}; after a restart some histories are read"
              + " from Prometheus again",
          name,
          whose);
    }
    isFull = true;
  }
}
