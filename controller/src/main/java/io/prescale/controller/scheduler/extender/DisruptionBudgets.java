package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;
import static java.util.stream.Collectors.groupingBy;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.placement.inventory.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts evictions that PodDisruptionBudgets do not allow, as kube-scheduler does when it preempts
 * (filterPodsWithPDBViolation in its defaultpreemption plugin). For one question: each namespace is
 * asked for once.
 */
final class DisruptionBudgets {
  private static final Logger LOG = LoggerFactory.getLogger(DisruptionBudgets.class);

  private final Source source;
  private final Map<String, List<PodDisruptionBudget>> known = new HashMap<>();

  /** Where the budgets of a namespace are read. */
  interface Source {
    List<PodDisruptionBudget> of(String namespace);

    /** In the API server. */
    static Source in(KubernetesClient client, InstantSource clock) {
      return new Recent(client, clock);
    }
  }

  /**
   * Those of all namespaces, read again once they are older than a few seconds: many preemptions at
   * once cost one request. None where they cannot be read, since the pod must not wait for that.
   * Thread-safe.
   */
  private static final class Recent implements Source {
    private static final Duration FRESH = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final InstantSource clock;
    private Instant until = Instant.MIN;
    private Map<String, List<PodDisruptionBudget>> budgets = Map.of();

    Recent(KubernetesClient client, InstantSource clock) {
      this.client = client;
      this.clock = clock;
    }

    @Override
    public synchronized List<PodDisruptionBudget> of(String namespace) {
      if (!clock.instant().isBefore(until)) {
        budgets = read();
        until = clock.instant().plus(FRESH);
      }
      return budgets.getOrDefault(namespace, List.of());
    }

    private Map<String, List<PodDisruptionBudget>> read() {
      try {
        return client
            .policy()
            .v1()
            .podDisruptionBudget()
            .inAnyNamespace()
            .list()
            .getItems()
            .stream()
            .collect(groupingBy(it -> it.getMetadata().getNamespace()));
      } catch (KubernetesClientException e) {
        LOG.warn("PodDisruptionBudgets cannot be read, so none is counted: {}", ApiFailure.text(e));
        return Map.of();
      }
    }
  }

  DisruptionBudgets(Source source) {
    this.source = source;
  }

  /** How many of these pods may not leave together. */
  int violations(List<PodFacts> leaving) {
    var used = new IdentityHashMap<PodDisruptionBudget, Integer>();
    int violations = 0;
    for (var pod : leaving) {
      boolean violates = false;
      for (var budget : known.computeIfAbsent(pod.namespace(), source::of)) {
        if (isOf(budget, pod)) {
          violates |= used.merge(budget, 1, Integer::sum) > allowed(budget);
        }
      }
      violations += violates ? 1 : 0;
    }
    return violations;
  }

  private static int allowed(PodDisruptionBudget budget) {
    return budget.getStatus() == null
        ? 0
        : Objects.requireNonNullElse(budget.getStatus().getDisruptionsAllowed(), 0);
  }

  /** One whose eviction was accepted before counts no more; an empty selector means no pod. */
  private static boolean isOf(PodDisruptionBudget budget, PodFacts pod) {
    var accepted = budget.getStatus() == null ? null : budget.getStatus().getDisruptedPods();
    return (accepted == null || !accepted.containsKey(pod.name()))
        && matches(budget.getSpec() == null ? null : budget.getSpec().getSelector(), pod.labels());
  }

  private static boolean matches(@Nullable LabelSelector selector, Map<String, String> labels) {
    if (selector == null || labels.isEmpty()) {
      return false;
    }
    var equal = orEmpty(selector.getMatchLabels());
    var more = orEmpty(selector.getMatchExpressions());
    return !(equal.isEmpty() && more.isEmpty())
        && labels.entrySet().containsAll(equal.entrySet())
        && more.stream().allMatch(it -> matches(it, labels));
  }

  private static boolean matches(LabelSelectorRequirement requirement, Map<String, String> labels) {
    var values = orEmpty(requirement.getValues());
    var value = labels.get(requirement.getKey());
    return switch (requirement.getOperator()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
