package io.prescale.adapter.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenApiProtobufTest {
  @Test
  void everyTextOfTheSchemaIsInTheMessage() {
    var schema = OpenApi.v2("v1.2.3");

    var message = new String(OpenApiProtobuf.of(schema), ISO_8859_1);

    assertThat(texts(schema)).hasSizeGreaterThan(50).allMatch(message::contains);
    assertThat(message).contains("x-kubernetes-action").contains("\"list\"\n");
  }

  @Test
  void aSmallDocumentHasTheFieldsOfGnostic() {
    var document = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
    document.putObject("info").put("title", "t").put("version", "v");
    document.putObject("definitions").putObject("d").put("type", "object");

    assertThat(HexFormat.of().formatHex(OpenApiProtobuf.of(document)))
        .isEqualTo(
            "0a03322e30" // 1 swagger
                + "12060a0174120176" // 2 info
                + "4200" // 8 paths
                + "4a12" // 9 definitions
                + "0a10" // 1 a named schema
                + "0a0164" // 1 name
                + "120b" // 2 schema
                + "b20108" // 22 type
                + "0a066f626a656374"); // 1 "object"
  }

  private static List<String> texts(JsonNode node) {
    var texts = new ArrayList<String>();
    if (node.isTextual()) {
      texts.add(new String(node.asText().getBytes(UTF_8), ISO_8859_1));
    }
    node.properties()
        .forEach(
            entry -> {
              if (entry.getKey().contains("/") || entry.getKey().startsWith("io.k8s")) {
                texts.add(entry.getKey());
              }
            });
    node.elements().forEachRemaining(child -> texts.addAll(texts(child)));
    return texts;
  }
}
