package io.prescale.controller.scheduler.reclaim;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.scheduler.evictions.NamedPod;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.reclaim.ReclaimMetrics.Delivery;
import io.prescale.placement.notice.Notice;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts notices to an address of the administrator's. Taking back never waits for it: what cannot
 * be sent is dropped, and redirects are not followed. Thread-safe.
 */
final class NoticeWebhook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NoticeWebhook.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What waits to be sent at most. */
  static final int MOST_WAITING = 1000;

  static final int ATTEMPTS = 3;

  private final Optional<URI> address;
  private final ReclaimMetrics metrics;
  private final InstantSource clock;
  private final Duration pause;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong said = new AtomicLong();

  /** The newest event of each pod that waits to be sent; an older one is not sent after it. */
  private final Map<String, Long> newest = new ConcurrentHashMap<>();

  private final ScheduledExecutorService sender =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("notice-webhook").daemon().factory());
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /** What has become of a pod. */
  enum What {
    NOTICE,
    WITHDRAWN
  }

  /**
   * An event that waits to be sent.
   *
   * @param number in the order of events
   * @param until after which it says nothing new
   */
  private record Message(String uid, long number, Instant until, HttpRequest request) {}

  /**
   * A webhook that has sent nothing.
   *
   * @param address empty if nothing is to be sent
   * @param pause before the second attempt; twice as long before the third
   */
  NoticeWebhook(
      Optional<URI> address, ReclaimMetrics metrics, InstantSource clock, Duration pause) {
    this.address = address;
    this.metrics = metrics;
    this.clock = clock;
    this.pause = pause;
  }

  /** Sends it later, if there is an address, and returns at once. */
  void say(What what, NamedPod pod, String queue, Notice notice) {
    if (address.isEmpty()) {
      return;
    }
    if (waiting.incrementAndGet() > MOST_WAITING) {
      newest.remove(pod.uid());
      waiting.decrementAndGet();
      metrics.delivered(Delivery.DROPPED);
      return;
    }
    var request =
        HttpRequest.newBuilder(address.get())
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body(what, pod, queue, notice)))
            .build();
    var until = what == What.NOTICE ? PodWriter.written(notice.at()) : Instant.MAX;
    var message = new Message(pod.uid(), said.incrementAndGet(), until, request);
    newest.put(pod.uid(), message.number());
    sender.execute(() -> attempt(message, 1));
  }

  private String body(What what, NamedPod pod, String queue, Notice notice) {
    var body = new LinkedHashMap<String, String>();
    body.put("event", what == What.NOTICE ? "notice" : "withdrawn");
    body.put("at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    body.put("namespace", pod.namespace());
    body.put("pod", pod.name());
    body.put("uid", pod.uid());
    body.put("queue", queue);
    body.put("reclaimAt", PodWriter.written(notice.at()).toString());
    body.put("reclaimFor", notice.claim());
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private void attempt(Message message, int number) {
    if (isOutdated(message)) {
      end(message, Delivery.DROPPED);
      return;
    }
    var failure = failure(message.request());
    if (failure.isPresent() && number < ATTEMPTS) {
      long millis = pause.toMillis() * number;
      var _ = sender.schedule(() -> attempt(message, number + 1), millis, TimeUnit.MILLISECONDS);
      return;
    }
    end(message, failure.isEmpty() ? Delivery.SENT : Delivery.FAILED);
    // The address may contain a secret.
    failure.ifPresent(why -> LOG.warn("A notice was not posted to the webhook: {}", why));
  }

  /** Whether something newer is known of the pod, or its notice has run out. */
  private boolean isOutdated(Message message) {
    return !Objects.equals(newest.get(message.uid()), message.number())
        || message.until().isBefore(clock.instant());
  }

  private void end(Message message, Delivery delivery) {
    newest.remove(message.uid(), message.number());
    waiting.decrementAndGet();
    metrics.delivered(delivery);
  }

  /** Why a request failed, if it did; what is answered is not read. */
  private Optional<String> failure(HttpRequest request) {
    try {
      var answer = client.send(request, BodyHandlers.ofInputStream());
      answer.body().close();
      int status = answer.statusCode();
      return status >= 200 && status < 300 ? Optional.empty() : Optional.of("it answers " + status);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.of("the extender ends");
    } catch (IOException | RuntimeException e) {
      return Optional.of(e.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    sender.shutdownNow();
    client.shutdownNow();
  }
}
