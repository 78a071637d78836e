package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/** Kinds that not every API server has. */
public final class ServedKind {
  private ServedKind() {}

  /** A kind by its names. */
  public static ResourceDefinitionContext of(
      String group, String version, String kind, String plural, boolean isNamespaced) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(isNamespaced)
        .build();
  }

  /** Whether the API server serves this version of a kind; sends one request. */
  public static boolean isServed(KubernetesClient client, ResourceDefinitionContext kind) {
    var served = client.getApiResources(kind.getGroup() + "/" + kind.getVersion());
    return served != null
        && served.getResources().stream()
            .anyMatch(resource -> resource.getName().equals(kind.getPlural()));
  }

  /** Those kinds that the API server serves, of several versions of a kind the first served. */
  public static Collection<ResourceDefinitionContext> served(
      KubernetesClient client, Collection<ResourceDefinitionContext> kinds) {
    var served = new LinkedHashMap<String, ResourceDefinitionContext>();
    for (var kind : kinds) {
      var name = "%s.%s".formatted(kind.getPlural(), kind.getGroup());
      if (!served.containsKey(name) && isServed(client, kind)) {
        served.put(name, kind);
      }
    }
    return served.values();
  }

  /**
   * Informers, not started, of all objects of those kinds that the API server serves.
   *
   * @param what they watch, in the plural
   * @param watches to which theirs belong
   */
  public static List<SharedIndexInformer<GenericKubernetesResource>> informers(
      String what,
      KubernetesClient client,
      Collection<ResourceDefinitionContext> kinds,
      CurrentWatches watches) {
    return served(client, kinds).stream()
        .map(kind -> watches.optional(what, all(client, kind), BriefObjects.PAGE))
        .toList();
  }

  private static AnyNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, ?>
      all(KubernetesClient client, ResourceDefinitionContext kind) {
    var objects = client.genericKubernetesResources(kind);
    return kind.isNamespaceScoped() ? objects.inAnyNamespace() : objects;
  }
}
