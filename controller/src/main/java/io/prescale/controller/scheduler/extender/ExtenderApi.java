package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.scheduler.extender.Question.JSON;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.scheduler.extender.Question.MalformedRequestException;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Ledger;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/**
 * Extender v1 as a function from JSON to JSON. The names are those of Go's fields, as in a {@link
 * Question}; {@code null} and {@code []} differ.
 */
final class ExtenderApi {
  private static final int BEST_SCORE = 10;

  /** What kube-scheduler asks for. */
  enum Verb {
    FILTER,
    PRIORITIZE,
    PREEMPT,
    BIND
  }

  private final Ledger ledger;
  private final Committer committer;
  private final QueueSource queues;
  private final InstantSource clock;
  private final PreemptVerb preempt;
  private final int candidates;

  /**
   * Creates the answers from a ledger.
   *
   * @param queues in whose words pods name their queues
   * @param candidates how many nodes are offered for a pod at most
   */
  ExtenderApi(
      Ledger ledger,
      Committer committer,
      QueueSource queues,
      InstantSource clock,
      PreemptVerb preempt,
      int candidates) {
    this.ledger = ledger;
    this.committer = committer;
    this.queues = queues;
    this.clock = clock;
    this.preempt = preempt;
    this.candidates = candidates;
  }

  /**
   * Answers a request.
   *
   * @throws MalformedRequestException with a sentence for the caller
   */
  byte[] answer(Verb verb, byte[] body) throws MalformedRequestException, InterruptedException {
    var question = Question.read(body);
    var answer =
        switch (verb) {
          case FILTER -> filter(question);
          case PRIORITIZE -> prioritize(question);
          case PREEMPT -> preempt.answer(question.pod(queues), question);
          case BIND -> bind(question);
        };
    try {
      return JSON.writeValueAsBytes(answer);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer cannot be written", e);
    }
  }

  /**
   * Planners such as a cluster autoscaler, and schedulers that are not set to {@code
   * nodeCacheCapable}, send whole nodes: then no place is assumed. If only one node is offered,
   * kube-scheduler scores none and does not ask for priorities.
   */
  private ObjectNode filter(Question question) throws MalformedRequestException {
    var pod = question.pod(queues);
    var whole = question.whole();
    var names = question.names();
    var found = ledger.candidates(pod, names, whole.isEmpty(), clock.instant(), committer::crowd);
    var answer = JSON.createObjectNode();
    answer.putNull("Nodes");
    answer.putNull("NodeNames");
    var failed = answer.putObject("FailedNodes");
    var hopeless = answer.putObject("FailedAndUnresolvableNodes");
    answer.put("Error", "");
    var fitting = fitting(found, names, failed, hopeless);
    boolean isChoice = found instanceof Candidates.Nodes;
    var offered = fitting.stream().limit(isChoice ? candidates : names.size()).toList();
    if (whole.isPresent()) {
      var items = answer.putObject("Nodes").putArray("items");
      var wanted = new HashSet<>(offered);
      for (var node : whole.get()) {
        if (wanted.contains(Question.name(node))) {
          items.add(node);
        }
      }
    } else {
      var list = answer.putArray("NodeNames");
      offered.forEach(list::add);
    }
    return answer;
  }

  /** The nodes to offer; of the others it adds the reasons to the answer. */
  private static List<String> fitting(
      Candidates found, List<String> names, ObjectNode failed, ObjectNode hopeless) {
    return switch (found) {
      case Candidates.Anywhere _ -> names;
      case Candidates.Nodes nodes -> nodes.best();
      case Candidates.Nowhere nowhere -> {
        nowhere
            .reasons()
            .forEach(
                (node, reason) ->
                    (nowhere.hopeless().contains(node) ? hopeless : failed)
                        .put(node, "GPU: " + reason));
        yield List.of();
      }
      // Unresolvable, because nothing is gained by preempting others for it.
      case Candidates.HeldBack held -> {
        names.forEach(node -> hopeless.put(node, "GPU: " + held.sentence()));
        yield List.of();
      }
    };
  }

  /** The best node scores 10, the next 9; nodes that were not offered score 0. */
  private JsonNode prioritize(Question question) throws MalformedRequestException {
    var pod = question.pod(queues);
    var names = question.names();
    var ranked = ledger.shortlist(pod.uid());
    if (ranked.isEmpty()
        && ledger.candidates(pod, names, false, clock.instant(), committer::crowd)
            instanceof Candidates.Nodes nodes) {
      ranked = nodes.best();
    }
    var places = new HashMap<String, Integer>();
    for (var node : ranked) {
      places.put(node, places.size());
    }
    var answer = JSON.createArrayNode();
    for (var name : names) {
      int score = BEST_SCORE - places.getOrDefault(name, BEST_SCORE);
      answer.addObject().put("Host", name).put("Score", Math.max(0, score));
    }
    return answer;
  }

  private ObjectNode bind(Question question)
      throws MalformedRequestException, InterruptedException {
    var uid = question.text("PodUID");
    var node = question.text("Node");
    var error = committer.bind(uid, node);
    return JSON.createObjectNode().put("Error", error.orElse(""));
  }
}
