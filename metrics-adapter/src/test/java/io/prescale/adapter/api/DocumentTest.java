package io.prescale.adapter.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.prescale.adapter.Answer;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DocumentTest {
  private static final MetricValueList LIST =
      new MetricValueList(
          "my-external-metric",
          List.of(
              new Answer.Item(
                  new TreeMap<>(Map.of("foo", "bar")),
                  42_000,
                  Instant.parse("2026-11-21T06:04:58.999Z"),
                  0)));

  @Test
  void writesJsonOnOneLineAndIndented() {
    assertThat(JsonWriter.of(LIST.document(), false))
        .isEqualTo(
            "{\"kind\":\"ExternalMetricValueList\",\"apiVersion\":\"external.metrics.k8s.io/v1beta1\","
                + "\"metadata\":{},\"items\":[{\"metricName\":\"my-external-metric\","
                + "\"metricLabels\":{\"foo\":\"bar\"},\"timestamp\":\"2026-11-21T06:04:58Z\","
                + "\"value\":\"42\"}]}");
    assertThat(JsonWriter.of(LIST.document(), true))
        .contains("\n  \"metadata\": {},\n  \"items\": [\n");
  }

  @Test
  void writesYamlAsKubernetesDoes() {
    assertThat(YamlText.of(LIST.document()))
        .isEqualTo(
            """
            apiVersion: external.metrics.k8s.io/v1beta1
            items:
            - metricLabels:
                foo: bar
              metricName: my-external-metric
              timestamp: "2026-11-21T06:04:58Z"
              value: "42"
            kind: ExternalMetricValueList
            metadata: {}
            """);
  }

  @Test
  void quotesWhatYamlCouldTakeForSomethingElse() {
    var document = JsonNodeFactory.instance.objectNode();
    Map.of("a", "true", "b", "No", "c", "", "d", "x: y", "e", "- x", "f", "#x", "1", "z")
        .forEach(document::put);

    assertThat(YamlText.of(document))
        .isEqualTo(
            """
            "1": z
            a: "true"
            b: "No"
            c: ""
            d: "x: y"
            e: "- x"
            f: "#x"
            """);
  }

  @Test
  void escapesHostileStrings() {
    assertThat(JsonWriter.quoted("\"\\\n\r\t\0\u001f\u007f é\uD83D\uDE00"))
        .isEqualTo("\"\\\"\\\\\\n\\r\\t\\u0000\\u001f\u007f é\uD83D\uDE00\"");
  }

  /** The bytes that the reference server sent for the same value at the second 1795241098. */
  @Test
  void writesTheProtobufOfTheReferenceServer() {
    var list =
        new MetricValueList(
            "my-external-metric",
            List.of(
                new Answer.Item(
                    new TreeMap<>(Map.of("foo", "bar")),
                    42_000,
                    Instant.ofEpochSecond(1_795_241_098),
                    0)));

    var bytes = Protobuf.envelope(list.apiVersion(), list.kind(), list.protobuf());

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "6b3873000a3a0a1f65787465726e616c2e6d6574726963732e6b38732e696f2f"
                + "763162657461311217"
                + "45787465726e616c4d657472696356616c75654c697374"
                + "123a0a060a0012001a0012300a126d792d65787465726e616c2d6d6574726963"
                + "120a0a03666f6f12036261721a08088ae984d80610002a040a0234321a002200");
  }

  @Test
  void everyFailureIsAStatusInEveryFormat() {
    var failure = Failure.noSuchMetric("no metric \"x\"", "x");

    assertThat(JsonWriter.of(failure.document(), false))
        .contains("\"kind\":\"Status\"", "\"status\":\"Failure\"", "\"reason\":\"NotFound\"")
        .contains("\"details\":{\"group\":\"external.metrics.k8s.io\",\"kind\":\"x\"}");
    assertThat(YamlText.of(failure.document())).contains("code: 404\n", "message: \"no metric");
    assertThat(failure.protobuf().toByteArray()).contains((byte) 0x94, (byte) 0x03); // 404
  }
}
