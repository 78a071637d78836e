package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** An extender that does nothing: every node will do, all are alike, and binds are passed on. */
final class IdleExtender implements AutoCloseable {
  private final ObjectMapper json = new ObjectMapper();
  private final KubernetesClient client;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  IdleExtender(KubernetesClient client, int port) throws IOException {
    this.client = client;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 512);
    serve("/filter", this::filter);
    serve("/prioritize", this::prioritize);
    serve("/bind", this::bind);
    server.setExecutor(threads);
    server.start();
  }

  private void serve(String path, Function<JsonNode, JsonNode> answer) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            var question = json.readTree(exchange.getRequestBody());
            var body = json.writeValueAsBytes(answer.apply(question));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
  }

  private JsonNode filter(JsonNode question) {
    ObjectNode answer = json.createObjectNode();
    answer.set("NodeNames", question.path("NodeNames"));
    return answer;
  }

  private JsonNode prioritize(JsonNode question) {
    var answer = json.createArrayNode();
    question
        .path("NodeNames")
        .forEach(name -> answer.addObject().put("Host", name.asText()).put("Score", 0));
    return answer;
  }

  private JsonNode bind(JsonNode question) {
    var namespace = question.path("PodNamespace").asText();
    var name = question.path("PodName").asText();
    var binding =
        new BindingBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .withNewTarget()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(question.path("Node").asText())
            .endTarget()
            .build();
    client.raw("/api/v1/namespaces/%s/pods/%s/binding".formatted(namespace, name), "POST", binding);
    return json.createObjectNode().put("Error", "");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
