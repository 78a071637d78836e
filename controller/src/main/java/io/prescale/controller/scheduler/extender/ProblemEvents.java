package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ReportedEvent;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what is left out of nodes, in the log and as events of the nodes: each sentence once
 * while it holds. Not thread-safe.
 */
final class ProblemEvents {
  static final String REASON = "GpuLeftOut";

  private static final Logger LOG = LoggerFactory.getLogger(ProblemEvents.class);
  private static final String REPORTER = "prescale-extender";

  /** The namespace in which the cluster's own components write events of nodes. */
  private static final String NAMESPACE = "default";

  /** The rest is reported next time. */
  private static final int MOST_AT_ONCE = 50;

  /** Leaves room for a hash in the name of the event. */
  private static final int LONGEST_NODE_NAME = 230;

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Set<Problem> reported = new HashSet<>();

  ProblemEvents(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  private record Problem(String node, String sentence) {}

  /**
   * Reports new problems.
   *
   * @param problems sentences by node
   */
  void report(Map<String, List<String>> problems) {
    var now = new HashSet<Problem>();
    problems.forEach(
        (node, sentences) -> sentences.forEach(sentence -> now.add(new Problem(node, sentence))));
    reported.retainAll(now);
    now.stream()
        .filter(problem -> !reported.contains(problem))
        .limit(MOST_AT_ONCE)
        .forEach(this::report);
  }

  private void report(Problem problem) {
    LOG.warn("Node {}: {}", problem.node(), problem.sentence());
    reported.add(problem);
    try {
      client.v1().events().inNamespace(NAMESPACE).resource(event(problem)).create();
    } catch (KubernetesClientException e) {
      // The same event was written within the last hour, perhaps by another replica.
      if (!ApiFailure.isConflict(e)) {
        LOG.warn("No event was written for node {}: {}", problem.node(), ApiFailure.text(e));
      }
    }
  }

  private Event event(Problem problem) {
    var node = problem.node();
    var prefix = node.substring(0, Math.min(node.length(), LONGEST_NODE_NAME));
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(node)
            // As the kubelet does; kubectl looks for both.
            .withUid(node)
            .build();
    return new ReportedEvent(
            about,
            NAMESPACE,
            "%s.%08x".formatted(prefix, problem.sentence().hashCode()),
            true,
            REASON,
            problem.sentence())
        .by(REPORTER, clock.instant());
  }
}
