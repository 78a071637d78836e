package io.prescale.controller.web.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView.Query;
import io.prescale.controller.web.GpusView.Show;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An extender that is not trusted. */
class ExtenderCardsTest {
  private static final Query QUERY = new Query(Show.BUSY, 24, 12);
  private static final GpuPage PAGE =
      new GpuPage(
          new GpuPage.Totals(7, 56, 0, 0, 0, 0, 0, 0),
          7,
          0,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          GpuPage.Course.NONE);

  @SuppressWarnings("NullAway.Init")
  private HttpServer extender;

  private volatile int status = 200;
  private volatile byte[] body = PAGE.json().getBytes(UTF_8);
  private volatile String asked = "";

  @BeforeEach
  void start() throws IOException {
    extender = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    extender.createContext(
        "/",
        exchange -> {
          try (exchange) {
            asked = exchange.getRequestURI().toString();
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
          }
        });
    extender.start();
  }

  @AfterEach
  void stop() {
    extender.stop(0);
  }

  private GpuPage ask() throws IOException {
    try (var cards = new ExtenderCards(address())) {
      return cards.gpus(QUERY);
    }
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + extender.getAddress().getPort());
  }

  @Test
  void asksForWhatThePageShows() throws IOException {
    assertThat(ask()).isEqualTo(PAGE);
    assertThat(asked).isEqualTo("/cards?show=busy&offset=24&limit=12");
  }

  @Test
  void reportsWhyThereIsNoAnswer() {
    status = 503;
    assertThatThrownBy(this::ask)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "The extender at %s does not report its cards: it answers with status 503.", address());
    status = 200;
    body = "<html>".getBytes(UTF_8);
    assertThatThrownBy(this::ask).hasMessageContaining("this is not what was asked for");
    body = new byte[ExtenderCards.LARGEST_ANSWER + 1];
    assertThatThrownBy(this::ask).hasMessageContaining("capacity: 16777216");
    extender.stop(0);
    assertThatThrownBy(this::ask)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("The extender at http://127.0.0.1:");
  }

  @Test
  void givesUpOnAnAnswerThatBreaksOffAfterItsHeaders() {
    extender.createContext(
        "/cards",
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
        });

    assertThatThrownBy(this::ask).hasMessageContaining("it has not answered within 3 s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cards", "https://extender:8080", "http:///cards", "file:///etc"})
  void refusesInvalidAddresses(String url) {
    assertThatThrownBy(() -> new ExtenderCards(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"%s\" is not an http:// address of a host", url);
  }
}
