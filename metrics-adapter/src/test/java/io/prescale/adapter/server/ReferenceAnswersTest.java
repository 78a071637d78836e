package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.ServedMetric;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A handful of answers as Kubernetes' library for API servers gives them, one of each kind, for
 * machines without the recordings of {@link ConformanceTest}.
 */
class ReferenceAnswersTest {
  private static final String ALWAYS = "audit-id cache-control content-length content-type date";
  private static final String METRICS = "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/";

  private final TestServer server = TestServer.start();

  @BeforeEach
  void publish() {
    server.metrics.publish(
        new MetricKey("default", "queue"),
        "batch",
        new ServedMetric(
            new TreeMap<>(Map.of("app", "batch")),
            7_500,
            server.now,
            0,
            List.of(),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            0));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          proxy    | GET    | queue?labelSelector=app%3Dbatch | 200 ExternalMetricValueList -
          proxy    | GET    | queue?labelSelector=%3D%3D      | 400 Status BadRequest
          proxy    | GET    | queue?limit=many                | 400 Status BadRequest
          proxy    | GET    | queue/too/deep                  | 404 Status NotFound
          proxy    | POST   | queue                           | 405 Status MethodNotAllowed
          proxy    | DELETE | queue                           | 405 Status MethodNotAllowed
          stranger | GET    | queue                           | 401 Status Unauthorized
          none     | GET    | queue                           | 403 Status Forbidden
          user     | GET    | queue                           | 403 Status Forbidden
          user     | POST   | queue                           | 403 Status Forbidden
          none     | POST   | queue                           | 403 Status Forbidden
          stranger | POST   | queue                           | 401 Status Unauthorized
          """)
  void answersAsKubernetesDoes(String client, String method, String metric, String expected)
      throws IOException {
    var reply =
        client(client)
            .send(
                method,
                METRICS + metric,
                "Accept: application/json",
                "X-Remote-User: " + TestServer.AUTOSCALER,
                "X-Remote-Group: system:authenticated");

    assertThat(ConformanceTest.summary(reply.status(), reply.headers(), reply.body()))
        .isEqualTo(
            "%s application/json %s%s"
                .formatted(
                    expected, ALWAYS, expected.startsWith("403") ? " x-content-type-options" : ""));
  }

  private RawClient client(String name) {
    return switch (name) {
      case "proxy" -> server.proxy();
      case "stranger" -> server.client(server.proxies.client("CN=another-proxy"));
      case "user" -> server.client(server.clients.client("CN=alice"));
      default -> server.client();
    };
  }
}
