package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has the API server answer 409 to each write of some kinds by Prescale, as if another writer
 * always came first.
 */
final class ConflictingWebhook implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAME = "conflicts.example.com";

  private final KubernetesClient client;
  private final HttpsServer server;
  private final AtomicInteger refused = new AtomicInteger();

  private ConflictingWebhook(KubernetesClient client, HttpsServer server) {
    this.client = client;
    this.server = server;
  }

  /**
   * Registers the webhook, which takes some seconds until it is asked.
   *
   * @param folder for the certificate
   * @param resources as in a rule of a webhook
   */
  static ConflictingWebhook start(KubernetesClient client, Path folder, String resources)
      throws IOException, InterruptedException, GeneralSecurityException {
    var certificate =
        SelfSigned.create(
            Files.createTempDirectory(folder, "webhook"), "webhook", "ip:127.0.0.1", "EC");
    var server = certificate.server();
    var webhook = new ConflictingWebhook(client, server);
    server.createContext("/", webhook::refuse);
    server.start();
    client
        .resource(manifest(server.getAddress().getPort(), certificate.caBundle(), resources))
        .create();
    return webhook;
  }

  /** How many writes have been refused. */
  int refused() {
    return refused.get();
  }

  @Override
  public void close() {
    client.admissionRegistration().v1().validatingWebhookConfigurations().withName(NAME).delete();
    server.stop(0); // an API server that still asks goes on without an answer
  }

  private void refuse(HttpExchange exchange) throws IOException {
    try (exchange) {
      refused.incrementAndGet();
      var review = JSON.readTree(exchange.getRequestBody());
      ScriptedServer.json(
              """
              {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": {
               "uid": "%s", "allowed": false,
               "status": {"code": 409, "reason": "Conflict", "message": "another writer came first"}}}
              """
                  .formatted(review.at("/request/uid").asText()))
          .to(exchange);
    }
  }

  private static String manifest(int port, String caBundle, String resources) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: %1$s}
    webhooks:
    - name: %1$s
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Ignore
      clientConfig: {url: "https://127.0.0.1:%2$d/", caBundle: %3$s}
      matchConditions:
      - name: writes-of-prescale
        expression: request.userInfo.username == "system:serviceaccount:prescale:prescale"
      rules:
      - {apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE, UPDATE, DELETE], resources: [%4$s]}
    """
        .formatted(NAME, port, caBundle, resources);
  }
}
