package io.prescale.controller.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.concurrent.ExecutionException;

/**
 * Asks for an external metric as the HPA controller does: the API server, with the HPA controller's
 * own service account.
 */
final class MetricSampler implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_MILLIS = 10_000;

  private final KubernetesClient client;
  private final URI url;

  /** What was answered. */
  sealed interface Answer {
    /** A value with the time that it says it is of. */
    record Value(double value, Instant timestamp) implements Answer {}

    /** An error that says that it is one. */
    record Refused(int code, String message) implements Answer {}

    /** No answer: the API server itself is away. */
    record Unreachable(String message) implements Answer {}

    /** Something that no client could take for a value or an error. */
    record Nonsense(String body) implements Answer {}
  }

  private MetricSampler(KubernetesClient client, URI url) {
    this.client = client;
    this.url = url;
  }

  /** Of a metric in the namespace default that a PredictiveHPA serves. */
  static MetricSampler of(Lab lab, String metric, String predictiveHpa)
      throws IOException, InterruptedException {
    var token =
        lab.kubectl(
                "create",
                "token",
                "horizontal-pod-autoscaler",
                "-n",
                "kube-system",
                "--duration=2h")
            .strip();
    var laboratory = lab.describe();
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(laboratory.server().toString())
            .withCaCertFile(laboratory.authority().cert().toString())
            .withOauthToken(token)
            .withConnectionTimeout(TIMEOUT_MILLIS)
            .withRequestTimeout(TIMEOUT_MILLIS)
            .withRequestRetryBackoffLimit(0)
            .build();
    var path =
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/%s?labelSelector=predictivehpa%%3D%s"
            .formatted(metric, predictiveHpa);
    return new MetricSampler(
        new KubernetesClientBuilder().withConfig(config).build(),
        URI.create(laboratory.server().toString().replaceFirst("/$", "") + path));
  }

  Answer ask() throws InterruptedException {
    HttpClient http = client.getHttpClient();
    try {
      var request = http.newHttpRequestBuilder().uri(url.toString()).build();
      var response = http.sendAsync(request, String.class).get();
      return answer(response.code(), response.body());
    } catch (ExecutionException e) {
      return new Answer.Unreachable(String.valueOf(e.getCause()));
    }
  }

  @Override
  public void close() {
    client.close();
  }

  private static Answer answer(int code, String body) {
    try {
      var json = JSON.readTree(body);
      if (code >= 400) {
        // The API server answers some of its own errors, such as while it starts, in plain words.
        return new Answer.Refused(code, json.path("message").asText(body));
      }
      var items = json.path("items");
      if (code != 200 || items.size() != 1) {
        return new Answer.Nonsense(code + " " + body);
      }
      var value = Quantity.parse(items.get(0).path("value").asText());
      return new Answer.Value(
          value.getNumericalAmount().doubleValue(),
          Instant.parse(items.get(0).path("timestamp").asText()));
    } catch (JsonProcessingException e) {
      return code >= 400 ? new Answer.Refused(code, body) : new Answer.Nonsense(code + " " + body);
    }
  }
}
