package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.demand.prometheus.AnswerLimits;
import io.prescale.controller.demand.prometheus.HttpClients;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeAnswer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server, as one kind of object names it: its clients and, for each namespace, its back-off.
 */
final class Lane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  private final SourceSettings settings;
  private final PrometheusClient reads;
  private final PrometheusClient manySeries;
  private final PrometheusClient histories;
  private final Turns readTurns;
  private final Turns historyTurns;
  private final ServerFaults faults;
  private final Map<String, BackOff> backOffs = new HashMap<>();
  private Instant lastAsked = Instant.MIN;

  /**
   * @param turns shared by all lanes of the server's host and port
   */
  Lane(PrometheusServer server, SourceSettings settings, Turns.OfServer turns, HttpClients clients)
      throws PrometheusException {
    var limits = AnswerLimits.ofOneSeries();
    this.settings = settings;
    this.reads = new PrometheusClient(server, settings.patience(), limits, clients);
    this.manySeries =
        new PrometheusClient(server, settings.patience(), AnswerLimits.ofPods(), clients);
    this.histories = new PrometheusClient(server, settings.historyPatience(), limits, clients);
    this.readTurns = turns.reads();
    this.historyTurns = turns.histories();
    this.faults = turns.faults();
  }

  /** A query that is too slow is of one namespace, and delays no other's. */
  synchronized BackOff backOff(String namespace) {
    return backOffs.computeIfAbsent(
        namespace, _ -> new BackOff(settings.firstBackOff(), settings.longestBackOff()));
  }

  /** A read that was asked for at a time succeeded. */
  void succeeded(String namespace, Instant asked) {
    backOff(namespace).succeeded();
    faults.succeeded(asked).ifPresent(LOG::info);
  }

  /** A read that was asked for at a time failed by the server's fault. */
  void failed(String namespace, Missing missing, Instant asked) {
    backOff(namespace).failed(asked, missing.message());
    faults.failed(namespace, missing, asked).ifPresent(LOG::warn);
  }

  synchronized void asked(Instant now) {
    lastAsked = now.isAfter(lastAsked) ? now : lastAsked;
  }

  synchronized boolean isIdleSince(Instant time) {
    return lastAsked.isBefore(time) && readTurns.areAllFree() && historyTurns.areAllFree();
  }

  /**
   * Reads when it is the namespace's turn; empty if that did not come in time, or the server failed
   * meanwhile in a request that was made no earlier.
   */
  Optional<RangeAnswer> read(String namespace, RangeQuery query, Instant asked)
      throws PrometheusException, InterruptedException {
    return read(reads, namespace, query, asked);
  }

  /** The same of a query that finds a series for each pod. */
  Optional<RangeAnswer> readPods(String namespace, RangeQuery query, Instant asked)
      throws PrometheusException, InterruptedException {
    return read(manySeries, namespace, query, asked);
  }

  private Optional<RangeAnswer> read(
      PrometheusClient client, String namespace, RangeQuery query, Instant asked)
      throws PrometheusException, InterruptedException {
    if (!readTurns.begin(namespace, settings.longestWait())) {
      return Optional.empty();
    }
    try {
      return backOff(namespace).failedSince(asked).isPresent()
          ? Optional.empty()
          : Optional.of(client.range(query));
    } finally {
      readTurns.end(namespace);
    }
  }

  /** Reads a part of a history; empty if the namespace's turn did not come in time. */
  Optional<RangeAnswer> history(String namespace, RangeQuery query)
      throws PrometheusException, InterruptedException {
    if (!historyTurns.begin(namespace, settings.longestHistory())) {
      return Optional.empty();
    }
    try {
      return Optional.of(histories.range(query));
    } finally {
      historyTurns.end(namespace);
    }
  }

  @Override
  public void close() {
    reads.close();
    manySeries.close();
    histories.close();
  }
}
