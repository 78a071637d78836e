package io.prescale.controller.extender;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.inventory.PodFacts;
import io.prescale.controller.placement.Candidates;
import io.prescale.controller.placement.Ledger;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Extender v1 as a function from JSON to JSON. Kubernetes' types have no JSON tags, so the names
 * are those of Go's fields; {@code null} and {@code []} differ.
 */
final class ExtenderApi {
  private static final int BEST_SCORE = 10;

  private final ObjectMapper json = new ObjectMapper();
  private final Ledger ledger;
  private final Committer committer;
  private final InstantSource clock;

  ExtenderApi(Ledger ledger, Committer committer, InstantSource clock) {
    this.ledger = ledger;
    this.committer = committer;
    this.clock = clock;
  }

  /** What is asked. */
  enum Verb {
    FILTER,
    PRIORITIZE,
    PREEMPT,
    BIND
  }

  /** A request that is not one of extender v1. */
  static final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedRequestException(String sentence) {
      super(sentence);
    }
  }

  /**
   * Answers a request.
   *
   * @throws MalformedRequestException with a sentence for whoever asked
   */
  byte[] answer(Verb verb, byte[] body) throws MalformedRequestException, InterruptedException {
    JsonNode question;
    try {
      question = json.readTree(body);
    } catch (IOException e) {
      throw new MalformedRequestException("the body is no JSON: " + e.getMessage());
    }
    if (question == null || !question.isObject()) {
      throw new MalformedRequestException("the body is no JSON object");
    }
    var answer =
        switch (verb) {
          case FILTER -> filter(question);
          case PRIORITIZE -> prioritize(question);
          case PREEMPT -> preempt(question);
          case BIND -> bind(question);
        };
    try {
      return json.writeValueAsBytes(answer);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer cannot be written", e);
    }
  }

  /**
   * Whole nodes are sent by whoever plans, such as a cluster autoscaler, or by a scheduler that is
   * not set to {@code nodeCacheCapable}: then nothing is assumed.
   */
  private ObjectNode filter(JsonNode question) throws MalformedRequestException {
    var pod = pod(question);
    var whole = items(question);
    var names = whole.isPresent() ? names(whole.get()) : names(question);
    var found = ledger.candidates(pod, names, whole.isEmpty(), clock.instant(), committer::crowd);
    var answer = json.createObjectNode();
    answer.putNull("Nodes");
    answer.putNull("NodeNames");
    var failed = answer.putObject("FailedNodes");
    var hopeless = answer.putObject("FailedAndUnresolvableNodes");
    answer.put("Error", "");
    var fitting =
        switch (found) {
          case Candidates.Anywhere _ -> names;
          case Candidates.Nodes nodes -> nodes.best();
          case Candidates.Nowhere nowhere -> {
            nowhere
                .reasons()
                .forEach(
                    (node, reason) ->
                        (nowhere.hopeless().contains(node) ? hopeless : failed)
                            .put(node, "GPU: " + reason));
            yield List.<String>of();
          }
        };
    if (whole.isPresent()) {
      var items = answer.putObject("Nodes").putArray("items");
      var wanted = new HashSet<>(fitting);
      whole.get().forEach(node -> addIf(wanted, node, items::add));
    } else {
      var list = answer.putArray("NodeNames");
      fitting.forEach(list::add);
    }
    return answer;
  }

  private static void addIf(Set<String> wanted, JsonNode node, Consumer<JsonNode> add) {
    if (wanted.contains(name(node))) {
      add.accept(node);
    }
  }

  /** The best has 10, the next 9; nodes that we did not offer have 0. */
  private JsonNode prioritize(JsonNode question) throws MalformedRequestException {
    var pod = pod(question);
    var whole = items(question);
    var names = whole.isPresent() ? names(whole.get()) : names(question);
    var ranked = ledger.offered(pod.uid());
    if (ranked.isEmpty()
        && ledger.candidates(pod, names, false, clock.instant(), committer::crowd)
            instanceof Candidates.Nodes nodes) {
      ranked = nodes.best();
    }
    var places = new HashMap<String, Integer>();
    for (var node : ranked) {
      places.put(node, places.size());
    }
    var answer = json.createArrayNode();
    for (var name : names) {
      int score = BEST_SCORE - places.getOrDefault(name, BEST_SCORE);
      answer.addObject().put("Host", name).put("Score", Math.max(0, score));
    }
    return answer;
  }

  private ObjectNode preempt(JsonNode question) throws MalformedRequestException {
    var pod = pod(question);
    var answer = json.createObjectNode();
    var nodes = answer.putObject("NodeNameToMetaVictims");
    for (var candidate : victims(question).entrySet()) {
      var given = candidate.getValue();
      var victims = ledger.victims(pod, candidate.getKey(), uids(given));
      victims.ifPresent(
          uids -> {
            var entry = nodes.putObject(candidate.getKey());
            var pods = entry.putArray("Pods");
            uids.forEach(uid -> pods.addObject().put("UID", uid));
            entry.put("NumPDBViolations", given.path("NumPDBViolations").asLong());
          });
    }
    return answer;
  }

  private static Map<String, JsonNode> victims(JsonNode question) {
    var meta = question.path("NodeNameToMetaVictims");
    var map = meta.isObject() ? meta : question.path("NodeNameToVictims");
    var victims = new HashMap<String, JsonNode>();
    map.properties().forEach(entry -> victims.put(entry.getKey(), entry.getValue()));
    return victims;
  }

  /** As identifiers, or as whole pods. */
  private static List<String> uids(JsonNode victims) {
    var uids = new ArrayList<String>();
    for (var pod : victims.path("Pods")) {
      var uid = pod.path("UID").asText(pod.path("metadata").path("uid").asText(""));
      if (!uid.isEmpty()) {
        uids.add(uid);
      }
    }
    return uids;
  }

  private ObjectNode bind(JsonNode question)
      throws MalformedRequestException, InterruptedException {
    var uid = text(question, "PodUID");
    var node = text(question, "Node");
    var error = committer.bind(uid, node);
    return json.createObjectNode().put("Error", error.orElse(""));
  }

  private static String text(JsonNode question, String field) throws MalformedRequestException {
    var value = question.path(field).asText("");
    if (value.isEmpty()) {
      throw new MalformedRequestException(field + " is missing");
    }
    return value;
  }

  private PodFacts pod(JsonNode question) throws MalformedRequestException {
    var pod = question.path("Pod");
    if (!pod.isObject()) {
      throw new MalformedRequestException("Pod is missing");
    }
    try {
      return Facts.of(json.treeToValue(pod, Pod.class));
    } catch (JsonProcessingException | RuntimeException e) {
      throw new MalformedRequestException("Pod cannot be read: " + e.getMessage());
    }
  }

  private static List<String> names(JsonNode question) throws MalformedRequestException {
    var names = new ArrayList<String>();
    var list = question.path("NodeNames");
    if (!list.isArray() && !list.isNull() && !list.isMissingNode()) {
      throw new MalformedRequestException("NodeNames is no list");
    }
    for (var name : list) {
      names.add(name.asText());
    }
    return names;
  }

  private static List<String> names(List<JsonNode> nodes) {
    return nodes.stream().map(ExtenderApi::name).toList();
  }

  private static String name(JsonNode node) {
    return node.path("metadata").path("name").asText();
  }

  private static Optional<List<JsonNode>> items(JsonNode question) {
    @Nullable JsonNode nodes = question.get("Nodes");
    if (nodes == null || !nodes.isObject()) {
      return Optional.empty();
    }
    var items = new ArrayList<JsonNode>();
    nodes.path("items").forEach(items::add);
    return Optional.of(items);
  }
}
