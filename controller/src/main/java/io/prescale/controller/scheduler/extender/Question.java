package io.prescale.controller.scheduler.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.inventory.PodFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request of extender v1. Kubernetes' types have no JSON tags, so the names are those of Go's
 * fields. Thousands of nodes are named in every request, so their names become no tree.
 *
 * @param fields every field but the names of nodes
 * @param whole the nodes, when they were sent and not only named
 * @param names of the candidate nodes
 */
record Question(ObjectNode fields, Optional<List<JsonNode>> whole, List<String> names) {
  /** Every request has a thread of its own, so buffers are kept for all of them. */
  static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
              .build());

  private static final String NODE_NAMES = "NodeNames";

  /** A request that is not one of extender v1. */
  static final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedRequestException(String sentence) {
      super(sentence);
    }
  }

  /**
   * Reads a body.
   *
   * @throws MalformedRequestException with a sentence for the caller
   */
  static Question read(byte[] body) throws MalformedRequestException {
    try (var parser = JSON.createParser(body)) {
      return read(parser);
    } catch (IOException e) {
      throw new MalformedRequestException("the body is not JSON: " + e.getMessage());
    }
  }

  private static Question read(JsonParser parser) throws IOException, MalformedRequestException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new MalformedRequestException("the body is not a JSON object");
    }
    var fields = JSON.createObjectNode();
    List<String> names = List.of();
    for (var field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      var token = parser.nextToken();
      if (!field.equals(NODE_NAMES)) {
        fields.set(field, JSON.readTree(parser));
      } else if (token == JsonToken.START_ARRAY) {
        names = names(parser);
      } else if (token != JsonToken.VALUE_NULL) {
        throw new MalformedRequestException("NodeNames is not a list");
      }
    }
    var whole = whole(fields);
    return new Question(
        fields,
        whole,
        whole.map(nodes -> nodes.stream().map(Question::name).toList()).orElse(names));
  }

  private static List<String> names(JsonParser parser) throws IOException {
    var names = new ArrayList<String>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      names.add(parser.getValueAsString(""));
      parser.skipChildren();
    }
    return names;
  }

  private static Optional<List<JsonNode>> whole(ObjectNode fields) {
    var nodes = fields.path("Nodes");
    if (!nodes.isObject()) {
      return Optional.empty();
    }
    var items = new ArrayList<JsonNode>();
    nodes.path("items").forEach(items::add);
    return Optional.of(items);
  }

  /** The name of a whole node. */
  static String name(JsonNode node) {
    return node.path("metadata").path("name").asText();
  }

  PodFacts pod(QueueSource queues) throws MalformedRequestException {
    var pod = fields.path("Pod");
    if (!pod.isObject()) {
      throw new MalformedRequestException("Pod is missing");
    }
    try {
      return Facts.of(JSON.treeToValue(pod, Pod.class), queues);
    } catch (JsonProcessingException | RuntimeException e) {
      throw new MalformedRequestException("Pod cannot be read: " + e.getMessage());
    }
  }

  /** A required field. */
  String text(String field) throws MalformedRequestException {
    var value = fields.path(field).asText("");
    if (value.isEmpty()) {
      throw new MalformedRequestException(field + " is missing");
    }
    return value;
  }
}
