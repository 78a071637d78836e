package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.sharding.Shards;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.values.ValuePublisher;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks before the start whether a cluster has what Prescale needs. */
public final class Preflight {
  private static final String GROUP = "autoscaling.prescale.io";
  private static final String EVERYWHERE = "";

  private final KubernetesClient client;

  public Preflight(KubernetesClient client) {
    this.client = client;
  }

  /**
   * A permission that Prescale needs.
   *
   * @param namespace empty for all, and for what is in none
   * @param name of the object; empty for any
   */
  record Need(
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    @Override
    public String toString() {
      return "%s %s%s%s%s%s"
          .formatted(
              verb,
              resource,
              subresource.isEmpty() ? "" : "/" + subresource,
              group.isEmpty() ? "" : " of " + group,
              name.isEmpty() ? "" : " named " + name,
              namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
  }

  /**
   * Why Prescale cannot work, in sentences that name the remedy; empty if it can.
   *
   * @param leads whether the replica may lead; otherwise it only serves
   * @throws KubernetesClientException when the cluster cannot be reached
   */
  public Optional<String> problem(ControllerSettings settings, boolean leads) {
    return missingDefinition()
        .or(() -> missingPermissions(settings, leads))
        .or(() -> leads ? leaseTrouble(settings) : Optional.empty());
  }

  private Optional<String> missingDefinition() {
    return ServedKind.isServed(
            client, ResourceDefinitionContext.fromResourceType(PredictiveHPA.class))
        ? Optional.empty()
        : Optional.of(
            "The cluster does not know PredictiveHPAs; install their definition with `prescale crd"
                + " | kubectl apply --server-side -f -`.");
  }

  private Optional<String> missingPermissions(ControllerSettings settings, boolean leads) {
    var missing =
        Stream.concat(watching(settings), leads ? leading(settings) : Stream.empty())
            .filter(need -> !isAllowed(need))
            .map(Need::toString)
            .toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Prescale may not %s; grant its user or service account these permissions."
                .formatted(String.join(", ", missing)));
  }

  private static Stream<Need> watching(ControllerSettings settings) {
    return Stream.of("list", "watch")
        .flatMap(
            verb ->
                Stream.concat(
                    each(settings.namespaces())
                        .map(it -> new Need(verb, GROUP, "predictivehpas", "", it, "")),
                    Stream.of(page(settings, verb, ""))));
  }

  private static Need page(ControllerSettings settings, String verb, String name) {
    return new Need(verb, "", "configmaps", "", settings.leaseNamespace(), name);
  }

  private static Stream<Need> leading(ControllerSettings settings) {
    var own =
        Stream.of("get", "create", "patch")
            .map(
                verb ->
                    new Need(
                        verb,
                        "coordination.k8s.io",
                        "leases",
                        "",
                        settings.leaseNamespace(),
                        verb.equals("create") ? "" : Controller.LEASE));
    var values =
        Stream.of("get", "update").map(verb -> page(settings, verb, ValuePublisher.ANY_PAGE));
    var states = Stream.of("get", "patch").map(verb -> page(settings, verb, SavedStates.ANY_PAGE));
    var sharing = settings.sharded() ? sharing(settings) : Stream.<Need>empty();
    var deciding = each(settings.namespaces()).flatMap(Preflight::deciding);
    return Stream.of(own, values, states, sharing, deciding).flatMap(needs -> needs);
  }

  private static Stream<Need> sharing(ControllerSettings settings) {
    var namespace = settings.leaseNamespace();
    var group = "coordination.k8s.io";
    return Stream.of(
        page(settings, "patch", Shards.HEARTBEATS),
        new Need("list", group, "leases", "", namespace, ""),
        new Need("update", group, "leases", "", namespace, Shards.lease(0)));
  }

  private static Stream<Need> deciding(String namespace) {
    var hpas =
        Stream.of("list", "watch", "get", "create", "patch", "delete")
            .map(
                verb ->
                    new Need(verb, "autoscaling", "horizontalpodautoscalers", "", namespace, ""));
    return Stream.concat(
        hpas,
        Stream.of(
            new Need("patch", GROUP, "predictivehpas", "", namespace, ""),
            new Need("patch", GROUP, "predictivehpas", "status", namespace, ""),
            new Need("update", GROUP, "predictivehpas", "finalizers", namespace, ""),
            new Need("list", "", "pods", "", namespace, "")));
  }

  private static Stream<String> each(Set<String> namespaces) {
    return namespaces.isEmpty() ? Stream.of(EVERYWHERE) : namespaces.stream().sorted();
  }

  private boolean isAllowed(Need need) {
    var review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb(need.verb())
            .withGroup(need.group())
            .withResource(need.resource())
            .withSubresource(need.subresource())
            .withNamespace(need.namespace())
            .withName(need.name())
            .endResourceAttributes()
            .endSpec()
            .build();
    var status = client.authorization().v1().selfSubjectAccessReview().create(review).getStatus();
    return status != null && Boolean.TRUE.equals(status.getAllowed());
  }

  private Optional<String> leaseTrouble(ControllerSettings settings) {
    var leases = client.leases().inNamespace(settings.leaseNamespace());
    var probe =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(settings.leaseNamespace())
            .withName(Controller.LEASE)
            .endMetadata()
            .build();
    try {
      if (leases.withName(Controller.LEASE).get() == null) {
        leases.resource(probe).dryRun().create();
      }
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isLasting(e)) {
        throw e;
      }
      return Optional.of(
          "The Lease by which one replica leads cannot be in namespace %s (%s); create the namespace, or name another with --lease-namespace."
              .formatted(settings.leaseNamespace(), ApiFailure.text(e)));
    }
  }
}
