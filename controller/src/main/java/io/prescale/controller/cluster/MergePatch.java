package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patches in one request each. The client reads a resource that is only named before it
 * patches it, which costs a request and needs the right to get it; of an object it does not.
 */
public final class MergePatch {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private MergePatch() {}

  /**
   * An object that has only names, to be patched or filled.
   *
   * @param namespace null for an object of the whole cluster
   */
  public static <T extends HasMetadata> T named(T empty, @Nullable String namespace, String name) {
    empty.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    return empty;
  }

  /** Patches what has the object's names, and gives the new version. */
  public static <T extends HasMetadata> T send(KubernetesClient client, T object, String patch) {
    return client.resource(object).patch(MERGE, patch);
  }

  /** The same by the status, for which a smaller right is enough. */
  public static <T extends HasMetadata> T sendByStatus(
      KubernetesClient client, T object, String patch) {
    return client.resource(object).subresource("status").patch(MERGE, patch);
  }

  /** Patches an object of a kind that is known by its definition; the answer may be anything. */
  public static void send(
      KubernetesClient client,
      ResourceDefinitionContext kind,
      GenericKubernetesResource object,
      String patch) {
    of(client, kind, object).patch(MERGE, patch);
  }

  /** The same by the status. */
  public static void sendByStatus(
      KubernetesClient client,
      ResourceDefinitionContext kind,
      GenericKubernetesResource object,
      String patch) {
    of(client, kind, object).subresource("status").patch(MERGE, patch);
  }

  private static Resource<GenericKubernetesResource> of(
      KubernetesClient client, ResourceDefinitionContext kind, GenericKubernetesResource object) {
    var all = client.genericKubernetesResources(kind);
    var namespace = object.getMetadata().getNamespace();
    return namespace == null ? all.resource(object) : all.inNamespace(namespace).resource(object);
  }
}
