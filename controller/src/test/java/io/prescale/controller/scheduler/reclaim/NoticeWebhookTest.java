package io.prescale.controller.scheduler.reclaim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.prescale.controller.scheduler.reclaim.NoticeWebhook.What;
import io.prescale.placement.notice.Notice;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Notices that are posted to a server, which answers as a test says or not at all. */
@NullUnmarked // the server is made before each test
class NoticeWebhookTest {
  private static final Notice NOTICE =
      new Notice("team/train", Instant.parse("2026-11-23T12:00:00.5Z"));

  private final CollectorRegistry registry = new CollectorRegistry();
  private final ReclaimMetrics metrics = new ReclaimMetrics(registry);
  private final PodTerms pod = PodTerms.of(ApiWithoutRepetition.pod("p", Map.of()));
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch answered = new CountDownLatch(1);
  private HttpServer server;
  private int status = 200;
  private boolean isHanging;
  private boolean isEndless;
  private volatile Instant now = Instant.parse("2026-11-23T11:50:00Z");

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          received.add(
              exchange.getRequestURI()
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          try {
            if (isHanging) {
              answered.await();
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          exchange.getResponseHeaders().add("Location", "/elsewhere");
          exchange.sendResponseHeaders(status, isEndless ? 0 : -1);
          while (isEndless && answered.getCount() > 0) {
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    answered.countDown();
    server.stop(0);
  }

  private NoticeWebhook webhook() {
    var address = URI.create("http://localhost:%d/hook".formatted(server.getAddress().getPort()));
    return new NoticeWebhook(Optional.of(address), metrics, () -> now, Duration.ofMillis(1));
  }

  private double count(String outcome) {
    return Objects.requireNonNullElse(
        registry.getSampleValue(
            "prescale_reclaim_webhook_total", new String[] {"outcome"}, new String[] {outcome}),
        0.0);
  }

  @Test
  void aNoticeIsPostedOnce() {
    try (var webhook = webhook()) {
      webhook.say(What.NOTICE, pod, "training", NOTICE);
      await().until(() -> count("sent") == 1);
      webhook.say(What.WITHDRAWN, pod, "training", NOTICE);
      await().until(() -> count("sent") == 2);
    }

    assertThat(received)
        .containsExactly(
            """
            /hook {"event":"notice","at":"2026-11-23T11:50:00Z","namespace":"default","pod":"p","uid":"uid-p",\
            "queue":"training","reclaimAt":"2026-11-23T12:00:01Z","reclaimFor":"team/train"}\
            """,
            """
            /hook {"event":"withdrawn","at":"2026-11-23T11:50:00Z","namespace":"default","pod":"p","uid":"uid-p",\
            "queue":"training","reclaimAt":"2026-11-23T12:00:01Z","reclaimFor":"team/train"}\
            """);
  }

  /** A redirect could lead to an address that the administrator has not chosen. */
  @ParameterizedTest
  @ValueSource(ints = {302, 307, 400, 500})
  void whatIsRefusedIsTriedThreeTimesAtThatAddressOnly(int answer) {
    status = answer;
    try (var webhook = webhook()) {
      webhook.say(What.NOTICE, pod, "training", NOTICE);
      await().until(() -> count("failed") == 1);
    }

    assertThat(received).hasSize(NoticeWebhook.ATTEMPTS).allMatch(it -> it.startsWith("/hook "));
  }

  /** All calls return while the first request has no answer. */
  @Test
  void aServerThatDoesNotAnswerHoldsUpNothingAndAThousandWaitAtMost() {
    isHanging = true;
    try (var webhook = webhook()) {
      for (int notice = 0; notice < NoticeWebhook.MOST_WAITING + 5; notice++) {
        var each = PodTerms.of(ApiWithoutRepetition.pod("p" + notice, Map.of()));
        webhook.say(What.NOTICE, each, "training", NOTICE);
      }
      assertThat(count("dropped")).isEqualTo(5);
    }
  }

  /** What the server answers is not read, so that one that never ends is no matter. */
  @Test
  void aBodyWithoutEndIsAnAnswer() {
    isEndless = true;
    try (var webhook = webhook()) {
      webhook.say(What.NOTICE, pod, "training", NOTICE);
      await().until(() -> count("sent") == 1);
    }
  }

  /** The first request is refused after that. */
  @ParameterizedTest
  @CsvSource({"true, 1", "false, 0"})
  void aNoticeThatIsWithdrawnOrHasRunOutIsTriedNoMore(boolean isWithdrawn, int sent) {
    isHanging = true;
    status = 500;
    try (var webhook = webhook()) {
      webhook.say(What.NOTICE, pod, "training", NOTICE);
      await().until(() -> received.size() == 1);
      if (isWithdrawn) {
        webhook.say(What.WITHDRAWN, pod, "training", NOTICE);
      } else {
        now = NOTICE.at().plusSeconds(1);
      }
      answered.countDown();
      await().until(() -> count("dropped") == 1);
      await().until(() -> count("failed") == sent);
    }

    assertThat(received).filteredOn(it -> it.contains("\"notice\"")).hasSize(1);
  }

  @Test
  void withoutAnAddressNothingIsSent() {
    try (var webhook = new NoticeWebhook(Optional.empty(), metrics, () -> now, Duration.ZERO)) {
      webhook.say(What.NOTICE, pod, "training", NOTICE);
    }

    assertThat(count("sent") + count("failed") + count("dropped")).isZero();
  }
}
