package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.scheduler.extender.Question.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;

/**
 * Answers which pods would have to leave which nodes at once, by the rules of taking back; a node
 * that is not answered is none for kube-scheduler.
 */
final class PreemptVerb {
  /** Nodes for which the ledger is asked at once, while others wait for it. */
  private static final int AT_ONCE = 10;

  private final Ledger ledger;
  private final Supplier<Set<String>> giving;
  private final DisruptionBudgets.Source budgets;

  /**
   * Creates the answers from a ledger.
   *
   * @param giving queues that give back by notice, so that nothing is taken from them at once
   */
  PreemptVerb(Ledger ledger, Supplier<Set<String>> giving, DisruptionBudgets.Source budgets) {
    this.ledger = ledger;
    this.giving = giving;
    this.budgets = budgets;
  }

  ObjectNode answer(PodFacts pod, Question question) {
    var answer = JSON.createObjectNode();
    var nodes = answer.putObject("NodeNameToMetaVictims");
    var known = new DisruptionBudgets(budgets);
    var queues = giving.get();
    candidates(question).entrySet().stream()
        .gather(Gatherers.windowFixed(AT_ONCE))
        .forEach(window -> add(nodes, pod, window, queues, known));
    return answer;
  }

  private void add(
      ObjectNode nodes,
      PodFacts pod,
      List<Map.Entry<String, JsonNode>> candidates,
      Set<String> queues,
      DisruptionBudgets known) {
    var given =
        candidates.stream().collect(Collectors.toMap(Map.Entry::getKey, it -> uids(it.getValue())));
    var found = ledger.victims(pod, given, queues);
    for (var candidate : candidates) {
      var node = candidate.getKey();
      var uids = found.get(node);
      if (uids != null) {
        var entry = nodes.putObject(node);
        var pods = entry.putArray("Pods");
        uids.forEach(uid -> pods.addObject().put("UID", uid));
        long before = candidate.getValue().path("NumPDBViolations").asLong();
        entry.put(
            "NumPDBViolations", before + more(known, given.getOrDefault(node, List.of()), uids));
      }
    }
  }

  /** How many of the pods that are added their budgets do not allow to leave. */
  private int more(DisruptionBudgets known, List<String> given, List<String> all) {
    return given.size() == all.size()
        ? 0
        : Math.max(0, known.violations(facts(all)) - known.violations(facts(given)));
  }

  private List<PodFacts> facts(List<String> uids) {
    return uids.stream().flatMap(uid -> ledger.holder(uid).stream()).toList();
  }

  private static Map<String, JsonNode> candidates(Question question) {
    var meta = question.fields().path("NodeNameToMetaVictims");
    var map = meta.isObject() ? meta : question.fields().path("NodeNameToVictims");
    var victims = new HashMap<String, JsonNode>();
    map.properties().forEach(entry -> victims.put(entry.getKey(), entry.getValue()));
    return victims;
  }

  /** The UIDs of victims, which are sent alone or in whole pods. */
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
}
