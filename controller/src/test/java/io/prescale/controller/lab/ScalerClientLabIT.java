package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica is called by the client that KEDA generates from its protocol; KEDA does not run. */
class ScalerClientLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> CALLS =
      List.of("GetMetricSpec", "GetMetrics", "IsActive", "StreamIsActive", "StreamMetricSpec");

  /**
   * KEDA's client.
   *
   * @param ca of whom it trusts
   * @param certificate that it shows
   */
  private record Client(Path program, int port, SelfSigned ca, SelfSigned certificate) {
    JsonNode asks(String predictiveHpa) throws Exception {
      var command =
          new ArrayList<String>(
              List.of(
                  program.toString(),
                  "--address=localhost:" + port,
                  "--ca=" + ca.certificate(),
                  "--cert=" + certificate.certificate(),
                  "--key=" + certificate.key(),
                  "--metric=requests",
                  "scaled",
                  "scaled",
                  "predictiveHPA=" + predictiveHpa));
      var process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      var output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return JSON.readTree(output);
    }
  }

  @Test
  void kedasOwnClientIsAnsweredAndAStrangerIsNot(@TempDir Path folder) throws Exception {
    var program = Lab.kedaClient();
    var serving = SelfSigned.create(folder, "prescale", "dns:localhost", "EC");
    var operator = SelfSigned.create(folder, "keda-operator", "dns:localhost", "EC");
    var stranger = SelfSigned.create(folder, "stranger", "dns:localhost", "EC");
    int port = PrescaleInLab.freePort();
    try (var gauges = Gauges.start();
        var lab = GaugedLab.lab(folder, gauges, "3s");
        var replica = KedaInLab.ask(PrescaleInLab.install(lab, folder), serving, operator, port)) {
      gauges.set("load_scaled", 20);
      gauges.set("known_scaled", 1);
      new KedaObjects(lab, serving, operator, port)
          .workload("scaled", "load_scaled and on() (known_scaled > 0)");
      var keda = new Client(program, port, serving, operator);

      var known =
          patiently().until(() -> keda.asks("scaled"), it -> it.at("/GetMetrics").has("message"));
      assertThat(known.at("/GetMetrics/message/metricValues/0"))
          .isEqualTo(amount("metricName", "requests", "metricValue", "20", "metricValueFloat", 20));
      assertThat(known.at("/GetMetricSpec/message/metricSpecs/0"))
          .isEqualTo(amount("metricName", "requests", "targetSize", "4", "targetSizeFloat", 4));
      assertThat(known.at("/StreamMetricSpec")).isEqualTo(known.at("/GetMetricSpec"));
      assertThat(known.at("/IsActive/message/result").asBoolean()).isTrue();
      assertThat(known.at("/StreamIsActive/message/result").asBoolean()).isTrue();
      assertThat(codes(keda.asks("absent"))).containsOnly("NotFound");
      assertThat(codes(new Client(program, port, serving, stranger).asks("scaled")))
          .containsOnly("Unavailable");

      gauges.set("known_scaled", 0);
      var unknown =
          patiently().until(() -> keda.asks("scaled"), it -> it.at("/GetMetrics").has("code"));
      assertThat(unknown.at("/GetMetrics/code").asText()).isEqualTo("Unavailable");
      assertThat(unknown.at("/GetMetrics/error").asText()).contains("is unknown");
      assertThat(unknown.at("/IsActive/code").asText()).isEqualTo("Unavailable");
      assertThat(unknown.at("/GetMetricSpec").has("message")).isTrue();
      assertThat(replica.process().isAlive()).isTrue();
    }
  }

  private static JsonNode amount(
      String nameKey, String name, String wholeKey, String whole, String key, int value) {
    return JSON.createObjectNode().put(nameKey, name).put(wholeKey, whole).put(key, value);
  }

  private static List<String> codes(JsonNode replies) {
    return CALLS.stream().map(call -> replies.at("/" + call + "/code").asText()).toList();
  }
}
