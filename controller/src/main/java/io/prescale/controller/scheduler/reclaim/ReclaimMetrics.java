package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.SuspendedWork;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * What taking back cost and gave, by the queue that gives, and how long deciding takes.
 * Thread-safe.
 */
public final class ReclaimMetrics {
  private static final double MILLI = 1000;
  private static final double SECONDS_OF_AN_HOUR = 3600;

  private final Counter notices;
  private final Counter withdrawn;
  private final Counter pods;
  private final Counter cards;
  private final Counter received;
  private final Counter ran;
  private final Counter resumed;
  private final Counter paused;
  private final Gauge refused;
  private final Counter webhook;
  private final Histogram decision;

  /** Registers the counters; each begins with its queue's first event. */
  public ReclaimMetrics(CollectorRegistry registry) {
    notices = counter("notices", "Pods that got notice to give their cards back.", registry);
    withdrawn = counter("withdrawn", "Notices that were withdrawn; they cost nothing.", registry);
    pods =
        Counter.build("prescale_reclaim_pods_total", "Pods whose cards were taken back.")
            .labelNames("gpuqueue", "how")
            .register(registry);
    cards = counter("cards", "Cards that were taken back.", registry);
    received =
        counter("received_cards", "Cards that were taken back for pods of a GpuQueue.", registry);
    ran =
        counter(
            "ended_gpu_hours",
            "Cards that were taken back times the hours for which their pods had run, of which is"
                + " lost what was not saved.",
            registry);
    resumed = counter("resumed", "Suspended workloads that went on.", registry);
    paused =
        counter(
            "paused_gpu_hours",
            "Cards of resumed workloads times the hours of their pause.",
            registry);
    refused =
        Gauge.build(
                "prescale_reclaim_refused_resumptions",
                "Suspended workloads that the API server refuses to resume.")
            .register(registry);
    webhook =
        Counter.build(
                "prescale_reclaim_webhook_total",
                "Notices for the webhook, by whether they were sent.")
            .labelNames("outcome")
            .register(registry);
    decision =
        Histogram.build(
                "prescale_reclaim_decision_seconds",
                "Time that a round of taking back took until it had decided, before its writes.")
            .buckets(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
            .register(registry);
  }

  /** How a pod's cards were taken. */
  enum How {
    EVICTED("evicted"),
    SUSPENDED("suspended"),
    SCALED_DOWN("scaled down");

    private final String label;

    How(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private static Counter counter(String name, String help, CollectorRegistry registry) {
    return Counter.build("prescale_reclaim_%s_total".formatted(name), help)
        .labelNames("gpuqueue")
        .register(registry);
  }

  /** Measures a decision until its duration is observed; one that fails is not. */
  Histogram.Timer deciding() {
    return decision.startTimer();
  }

  void notified(CardHolder holder) {
    notices.labels(holder.queue()).inc();
  }

  void withdrawn(CardHolder holder) {
    withdrawn.labels(holder.queue()).inc();
  }

  void taken(Takings.Taking taking) {
    var queue = taking.holder().queue();
    double taken = taking.holder().milli() / MILLI;
    pods.labels(queue, taking.how().label).inc();
    cards.labels(queue).inc(taken);
    ran.labels(queue).inc(taken * Math.max(0, hours(taking.ran())));
    taking.receiver().ifPresent(receiver -> received.labels(receiver).inc(taken));
  }

  private static double hours(Duration length) {
    return length.toSeconds() / SECONDS_OF_AN_HOUR;
  }

  /** What became of what was to be posted. */
  enum Delivery {
    SENT,
    FAILED,
    DROPPED
  }

  void delivered(Delivery delivery) {
    webhook.labels(delivery.name().toLowerCase(Locale.ROOT)).inc();
  }

  void refusedResumptions(int workloads) {
    refused.set(workloads);
  }

  void resumed(SuspendedWork work, Instant now) {
    resumed.labels(work.queue()).inc();
    if (work.since().isAfter(Instant.EPOCH)) { // it may be unknown
      double hours = hours(Duration.between(work.since(), now));
      work.milli()
          .forEach((queue, milli) -> paused.labels(queue).inc(Math.max(0, hours) * milli / MILLI));
    }
  }
}
