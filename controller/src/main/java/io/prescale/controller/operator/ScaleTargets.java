package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.SelectorException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ServedKind;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the scale subresource of any kind that has one, found by discovery as the HPA controller
 * does; the API server neither lists nor watches it. Thread-safe.
 */
final class ScaleTargets {
  /** A kind that is installed later counts after this time. */
  private static final Duration MISSING_FOR = Duration.ofSeconds(30);

  /** A tenant can name as many as they like. */
  private static final int MOST_MISSING = 1_000;

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Map<Kind, ResourceDefinitionContext> known = new ConcurrentHashMap<>();

  /** Until when a kind is taken to be missing. */
  private final Map<Kind, Instant> missing = new ConcurrentHashMap<>();

  private record Kind(String apiVersion, String kind) {}

  /** What the API server says about a target. */
  sealed interface Scale {}

  /**
   * The target can be scaled.
   *
   * @param wanted replicas that its spec asks for
   * @param current replicas that its status counts, ready or not
   * @param selector of its pods, as {@link LabelSelector} reads it; empty when the status has none
   */
  record Found(int wanted, int current, String selector) implements Scale {
    /** The labels of its pods. */
    LabelSelector pods() {
      try {
        return LabelSelector.parse(selector);
      } catch (SelectorException e) {
        throw new IllegalStateException("it was read when the scale was", e);
      }
    }
  }

  /**
   * It cannot, with a sentence that names the remedy.
   *
   * @param exists whether the target may exist and only its scale is missing or refused
   */
  record NotScalable(boolean exists, String message) implements Scale {}

  ScaleTargets(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * Reads the scale of a target.
   *
   * @throws KubernetesClientException when the server cannot be reached or refuses
   */
  Scale read(String namespace, CrossVersionObjectReference target) {
    var version = Objects.requireNonNullElse(target.getApiVersion(), "v1");
    var context = context(new Kind(version, target.getKind()));
    if (context.isEmpty()) {
      return new NotScalable(
          true,
          ServingPlatforms.instead(target)
              .orElseGet(
                  () ->
                      "There is no kind %s with a scale subresource in %s; correct spec.scaleTargetRef."
                          .formatted(target.getKind(), version)));
    }
    try {
      var scale =
          client
              .genericKubernetesResources(context.get())
              .inNamespace(namespace)
              .withName(target.getName())
              .scale();
      return scale == null ? missing(namespace, target) : found(target, scale);
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return missing(namespace, target);
      }
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return new NotScalable(
            true,
            "Prescale may not read the scale of %s %s; allow it to get that subresource (%s)."
                .formatted(target.getKind(), target.getName(), ApiFailure.text(e)));
      }
      throw e;
    }
  }

  private static Scale found(
      CrossVersionObjectReference target,
      io.fabric8.kubernetes.api.model.autoscaling.v1.Scale scale) {
    var spec = scale.getSpec();
    var status = scale.getStatus();
    var selector = status == null ? "" : Objects.requireNonNullElse(status.getSelector(), "");
    return ServingPlatforms.scalerOf(target, selector)
        .or(() -> unreadable(target, selector))
        .<Scale>map(message -> new NotScalable(true, message))
        .orElseGet(
            () ->
                new Found(
                    spec == null ? 0 : Objects.requireNonNullElse(spec.getReplicas(), 0),
                    status == null ? 0 : Objects.requireNonNullElse(status.getReplicas(), 0),
                    selector));
  }

  /** The HPA controller would not know its pods either. */
  private static Optional<String> unreadable(CrossVersionObjectReference target, String selector) {
    try {
      LabelSelector.parse(selector);
      return Optional.empty();
    } catch (SelectorException _) {
      return Optional.of(
          "The scale of %s %s has a selector of pods that cannot be read; correct what its labelSelectorPath leads to."
              .formatted(target.getKind(), target.getName()));
    }
  }

  private static Scale missing(String namespace, CrossVersionObjectReference target) {
    return new NotScalable(
        false,
        "There is no %s %s in namespace %s; create it, or correct spec.scaleTargetRef."
            .formatted(target.getKind(), target.getName(), namespace));
  }

  private Optional<ResourceDefinitionContext> context(Kind kind) {
    var cached = known.get(kind);
    if (cached != null) {
      return Optional.of(cached);
    }
    var now = clock.instant();
    missing.values().removeIf(now::isAfter);
    if (missing.containsKey(kind)) {
      return Optional.empty();
    }
    var discovered = discover(kind);
    if (discovered.isPresent()) {
      known.put(kind, discovered.get());
    } else if (missing.size() < MOST_MISSING) {
      missing.put(kind, now.plus(MISSING_FOR));
    }
    return discovered;
  }

  private Optional<ResourceDefinitionContext> discover(Kind kind) {
    var list = client.getApiResources(kind.apiVersion());
    var resources = list == null ? List.<APIResource>of() : list.getResources();
    return resources.stream()
        .filter(resource -> kind.kind().equals(resource.getKind()))
        .filter(resource -> !resource.getName().contains("/"))
        .filter(resource -> has(resources, resource.getName() + "/scale"))
        .findFirst()
        .map(resource -> context(kind, resource));
  }

  private static boolean has(List<APIResource> resources, String name) {
    return resources.stream().anyMatch(resource -> resource.getName().equals(name));
  }

  private static ResourceDefinitionContext context(Kind kind, APIResource resource) {
    int slash = kind.apiVersion().indexOf('/');
    return ServedKind.of(
        slash < 0 ? "" : kind.apiVersion().substring(0, slash),
        kind.apiVersion().substring(slash + 1),
        kind.kind(),
        resource.getName(),
        true);
  }
}
