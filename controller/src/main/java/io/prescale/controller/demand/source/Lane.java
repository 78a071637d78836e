package io.prescale.controller.demand.source;

import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeAnswer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import java.time.Instant;
import java.util.concurrent.Semaphore;

/** One server: its connections, its limit of concurrent requests, and its back-off. */
final class Lane implements AutoCloseable {
  /** A read has one series and a few points. */
  private static final long MOST_BYTES = 4L << 20;

  private final PrometheusClient reads;
  private final PrometheusClient histories;
  private final Semaphore free;
  private final int requests;
  private final BackOff backOff;
  private Instant lastAsked = Instant.MIN;

  Lane(PrometheusServer server, SourceSettings settings) throws PrometheusException {
    this.reads = new PrometheusClient(server, settings.patience(), MOST_BYTES);
    this.histories = new PrometheusClient(server, settings.historyPatience());
    this.requests = settings.requestsPerServer();
    this.free = new Semaphore(requests, true);
    this.backOff = new BackOff(settings.firstBackOff(), settings.longestBackOff());
  }

  BackOff backOff() {
    return backOff;
  }

  synchronized void asked(Instant now) {
    lastAsked = now.isAfter(lastAsked) ? now : lastAsked;
  }

  synchronized boolean isIdleSince(Instant time) {
    return lastAsked.isBefore(time) && free.availablePermits() == requests;
  }

  /** Waits for its turn; {@link #leave} must follow. */
  void enter() throws InterruptedException {
    free.acquire();
  }

  void leave() {
    free.release();
  }

  RangeAnswer read(RangeQuery query) throws PrometheusException, InterruptedException {
    return reads.range(query);
  }

  RangeAnswer history(RangeQuery query) throws PrometheusException, InterruptedException {
    return histories.range(query);
  }

  @Override
  public void close() {
    reads.close();
    histories.close();
  }
}
