package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Maintains the cluster's APIService of external metrics and its {@code caBundle}. An APIService of
 * another adapter is left alone.
 */
final class ApiServiceRegistration {
  static final String NAME = "v1beta1.external.metrics.k8s.io";
  private static final String INJECTED = "cert-manager.io/inject-ca-from";
  private static final int PRIORITY = 100;

  private final KubernetesClient client;
  private final String namespace;
  private final String service;
  private final int port;

  ApiServiceRegistration(KubernetesClient client, AdapterSettings settings) {
    this.client = client;
    this.namespace = settings.namespace();
    this.service = settings.service();
    this.port = settings.servicePort();
  }

  /**
   * Creates or corrects the APIService.
   *
   * @param caBundle authorities in PEM; without them, the existing bundle stays
   */
  Registration ensure(Optional<String> caBundle) {
    try {
      var there = client.apiServices().withName(NAME).get();
      if (there == null) {
        client.apiServices().resource(fresh(caBundle)).create();
        return new Registration.Ours();
      }
      var holder = holder(there);
      if (!holder.equals(namespace + "/" + service)) {
        return new Registration.HeldBy(holder);
      }
      var corrected = corrected(there, caBundle);
      if (!corrected.equals(there)) {
        client.apiServices().resource(corrected).update();
      }
      return new Registration.Ours();
    } catch (KubernetesClientException e) {
      return new Registration.Unknown(ApiFailure.text(e));
    }
  }

  private APIService fresh(Optional<String> caBundle) {
    return new APIServiceBuilder()
        .withNewMetadata()
        .withName(NAME)
        .addToLabels("app.kubernetes.io/managed-by", "prescale")
        .endMetadata()
        .withNewSpec()
        .withGroup("external.metrics.k8s.io")
        .withVersion("v1beta1")
        .withGroupPriorityMinimum(PRIORITY)
        .withVersionPriority(PRIORITY)
        .withNewService(service, namespace, port)
        .withCaBundle(caBundle.map(ApiServiceRegistration::encoded).orElse(null))
        .endSpec()
        .build();
  }

  /** The APIService with verification on, and with this bundle unless cert-manager injects one. */
  private APIService corrected(APIService there, Optional<String> caBundle) {
    var annotations =
        Objects.requireNonNullElse(there.getMetadata().getAnnotations(), Map.<String, String>of());
    var bundle =
        annotations.containsKey(INJECTED)
            ? there.getSpec().getCaBundle()
            : caBundle.map(ApiServiceRegistration::encoded).orElse(there.getSpec().getCaBundle());
    return new APIServiceBuilder(there)
        .editSpec()
        .withNewService(service, namespace, port)
        .withCaBundle(bundle)
        .withInsecureSkipTLSVerify(null)
        .endSpec()
        .build();
  }

  private static String holder(APIService there) {
    var reference = there.getSpec().getService();
    return reference == null
        ? "the API server itself"
        : reference.getNamespace() + "/" + reference.getName();
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
  }
}
