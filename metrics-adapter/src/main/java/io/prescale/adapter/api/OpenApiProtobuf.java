package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/**
 * A schema of OpenAPI v2 as the protocol-buffers message {@code openapi.v2.Document} (gnostic,
 * {@code openapiv2/OpenAPIv2.proto}). Writes the fields that our own schema has; vendor extensions
 * hold YAML there, for which their JSON will do.
 */
final class OpenApiProtobuf {
  private OpenApiProtobuf() {}

  static byte[] of(JsonNode document) {
    var message = new Protobuf();
    texts(message, 1, document, "swagger");
    var info = new Protobuf();
    texts(info, 1, document.path("info"), "title");
    texts(info, 2, document.path("info"), "version");
    message.message(2, info);
    message.message(8, named(document.path("paths"), 2, OpenApiProtobuf::path));
    message.message(9, named(document.path("definitions"), 1, OpenApiProtobuf::schema));
    return message.toByteArray();
  }

  private static Protobuf path(JsonNode path) {
    var message = new Protobuf();
    message.message(2, operation(path.path("get")));
    for (var parameter : path.path("parameters")) {
      message.message(9, parameter(parameter));
    }
    return message;
  }

  private static Protobuf operation(JsonNode operation) {
    var message = new Protobuf();
    texts(message, 1, operation, "tags");
    texts(message, 3, operation, "description");
    texts(message, 5, operation, "operationId");
    texts(message, 6, operation, "produces");
    message.message(9, named(operation.path("responses"), 1, OpenApiProtobuf::response));
    texts(message, 10, operation, "schemes");
    extensions(message, 13, operation);
    return message;
  }

  /** {@code ResponseValue.response}, with its {@code SchemaItem.schema}. */
  private static Protobuf response(JsonNode response) {
    var message = new Protobuf();
    texts(message, 1, response, "description");
    message.message(2, new Protobuf().message(1, schema(response.path("schema"))));
    return new Protobuf().message(1, message);
  }

  /** {@code ParametersItem.parameter.non_body_parameter}, in the query or the path. */
  private static Protobuf parameter(JsonNode parameter) {
    boolean inQuery = parameter.path("in").asText().equals("query");
    var message = new Protobuf();
    truth(message, 1, parameter, "required");
    texts(message, 2, parameter, "in");
    texts(message, 4, parameter, "name");
    texts(message, inQuery ? 6 : 5, parameter, "type");
    truth(message, inQuery ? 20 : 19, parameter, "uniqueItems");
    var nonBody = new Protobuf().message(inQuery ? 3 : 4, message);
    return new Protobuf().message(1, new Protobuf().message(2, nonBody));
  }

  private static Protobuf schema(JsonNode schema) {
    var message = new Protobuf();
    texts(message, 1, schema, "$ref");
    texts(message, 2, schema, "format");
    texts(message, 4, schema, "description");
    texts(message, 19, schema, "required");
    wrapped(message, 21, schema, "additionalProperties");
    if (schema.has("type")) {
      message.message(22, new Protobuf().text(1, schema.path("type").asText()));
    }
    wrapped(message, 23, schema, "items");
    if (schema.has("properties")) {
      message.message(25, named(schema.path("properties"), 1, OpenApiProtobuf::schema));
    }
    extensions(message, 31, schema);
    return message;
  }

  private static void wrapped(Protobuf message, int field, JsonNode schema, String name) {
    if (schema.has(name)) {
      message.message(field, new Protobuf().message(1, schema(schema.path(name))));
    }
  }

  /** A message whose field {@code field} repeats pairs of a name and a value. */
  private static Protobuf named(JsonNode object, int field, Function<JsonNode, Protobuf> value) {
    var message = new Protobuf();
    for (var entry : object.properties()) {
      message.message(field, pair(entry.getKey(), value.apply(entry.getValue())));
    }
    return message;
  }

  private static void extensions(Protobuf message, int field, JsonNode object) {
    for (var entry : object.properties()) {
      if (entry.getKey().startsWith("x-")) {
        var yaml = JsonWriter.of(entry.getValue(), false) + "\n";
        message.message(field, pair(entry.getKey(), new Protobuf().text(2, yaml)));
      }
    }
  }

  private static Protobuf pair(String name, Protobuf value) {
    return new Protobuf().text(1, name).message(2, value);
  }

  /** A text, or each of a list. */
  private static void texts(Protobuf message, int field, JsonNode object, String name) {
    var value = object.path(name);
    if (value.isTextual()) {
      message.text(field, value.asText());
    }
    value.elements().forEachRemaining(text -> message.text(field, text.asText()));
  }

  private static void truth(Protobuf message, int field, JsonNode object, String name) {
    if (object.path(name).asBoolean()) {
      message.number(field, 1);
    }
  }
}
