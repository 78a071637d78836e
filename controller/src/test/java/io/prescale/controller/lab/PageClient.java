package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks for the JSON of pages on loopback ports, with a token or, if that is empty, without. */
record PageClient(HttpClient http) {
  private static final ObjectMapper JSON = new ObjectMapper();

  HttpResponse<String> get(int page, String path, String token)
      throws IOException, InterruptedException {
    return send(page, path, token, HttpRequest.newBuilder().GET());
  }

  HttpResponse<String> post(int page, String path, String token)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder()
            .POST(BodyPublishers.ofString("{}"))
            .header("Content-Type", "application/json");
    return send(page, path, token, request);
  }

  private HttpResponse<String> send(
      int page, String path, String token, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(
        request
            .uri(URI.create("http://127.0.0.1:%d/api/v1/%s".formatted(page, path)))
            .timeout(Duration.ofMinutes(1))
            .build(),
        BodyHandlers.ofString());
  }

  /** What an answer says that is no refusal. */
  static JsonNode json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    try {
      return JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(answer.body(), e);
    }
  }
}
