package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.demand.prometheus.ScriptedServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BriefBodyTest {
  private static final BriefJson BRIEF = new BriefJson("pods", Kept.fields("kept"));

  private static HttpResponse<String> get(int status, String body) throws Exception {
    try (var server =
            new ScriptedServer(
                exchange -> {
                  exchange.sendResponseHeaders(status, 0);
                  exchange.getResponseBody().write(body.getBytes(UTF_8));
                });
        var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(server.url().resolve("/api/v1/pods")).build();
      return client.send(
          request, BriefBody.of(request, BodyHandlers.ofString(), Optional.of(BRIEF)));
    }
  }

  @Test
  void ofEveryEventOnlyWhatIsKeptIsRead() throws Exception {
    var event = "{\"type\":\"ADDED\",\"object\":{\"kept\":1,\"more\":2}}\n";

    var events = get(200, event.repeat(40_000)).body().lines().toList();

    assertThat(events).hasSize(40_000).containsOnly("{\"type\":\"ADDED\",\"object\":{\"kept\":1}}");
  }

  @Test
  void anErrorIsReadAsItIs() throws Exception {
    assertThat(get(403, "{\"more\":2}").body()).isEqualTo("{\"more\":2}");
  }

  @Test
  void anAnswerThatEndsTooEarlyFails() {
    assertThatThrownBy(() -> get(200, "{\"items\":[{\"kept\":1},")).isInstanceOf(IOException.class);
  }
}
