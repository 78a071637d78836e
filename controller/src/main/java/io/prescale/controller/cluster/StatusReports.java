package io.prescale.controller.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the statuses of objects of one kind that have news. Not thread-safe. */
public final class StatusReports {
  /** The limit of one round, so that many objects do not flood the API server. */
  static final int MOST_AT_ONCE = 20;

  private static final Logger LOG = LoggerFactory.getLogger(StatusReports.class);

  private final KubernetesClient client;
  private final ResourceDefinitionContext kind;
  private final List<String> optional;

  /** The rounds in which statuses were last written, by object. */
  private final Map<String, Long> writes = new HashMap<>();

  private long round;

  /**
   * Nothing was written yet.
   *
   * @param optional fields of the status that it may lack; what is no longer so has to be removed
   *     by name
   */
  public StatusReports(
      KubernetesClient client, ResourceDefinitionContext kind, List<String> optional) {
    this.client = client;
    this.kind = kind;
    this.optional = List.copyOf(optional);
  }

  private enum Outcome {
    WRITTEN,
    /** The server refused this one. */
    REFUSED,
    /** The next write would wait for the API server too, so the round ends. */
    UNANSWERED
  }

  /**
   * Writes the statuses that have news, those first that were not written for longest.
   *
   * @param object the one that each is about, as it was read
   * @param wanted what its status should be
   */
  public <E, S> void report(
      Collection<E> all,
      Function<E, ? extends CustomResource<?, S>> object,
      Function<E, S> wanted) {
    round++;
    writes
        .keySet()
        .retainAll(
            all.stream()
                .map(it -> Cache.metaNamespaceKeyFunc(object.apply(it)))
                .collect(Collectors.toSet()));
    int sent = 0;
    for (var each :
        all.stream()
            .sorted(
                Comparator.comparingLong(
                    it -> writes.getOrDefault(Cache.metaNamespaceKeyFunc(object.apply(it)), 0L)))
            .toList()) {
      var known = object.apply(each);
      var status = wanted.apply(each);
      if (status.equals(known.getStatus())) {
        continue;
      }
      writes.put(Cache.metaNamespaceKeyFunc(known), round);
      if (write(known, status) == Outcome.UNANSWERED || ++sent == MOST_AT_ONCE) {
        return;
      }
    }
  }

  private Outcome write(CustomResource<?, ?> object, Object status) {
    var meta = object.getMetadata();
    var named =
        MergePatch.named(new GenericKubernetesResource(), meta.getNamespace(), meta.getName());
    try {
      // The answer is read as any object: the spec may be what makes no sense.
      MergePatch.sendByStatus(client, kind, named, patch(status));
      return Outcome.WRITTEN;
    } catch (KubernetesClientException e) {
      LOG.warn(
          "The status of {} {} was not written: {}",
          kind.getKind(),
          Cache.metaNamespaceKeyFunc(object),
          ApiFailure.text(e));
      return e.getCode() >= 400 && e.getCode() < 500 ? Outcome.REFUSED : Outcome.UNANSWERED;
    }
  }

  private String patch(Object status) {
    var json = client.getKubernetesSerialization();
    var fields = Objects.requireNonNull(json.convertValue(status, ObjectNode.class));
    for (var field : optional) {
      if (!fields.has(field)) {
        fields.putNull(field);
      }
    }
    return "{\"status\":" + fields + "}";
  }
}
