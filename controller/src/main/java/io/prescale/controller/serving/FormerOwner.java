package io.prescale.controller.serving;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.prescale.adapter.server.Listener;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The adapter that the APIService pointed to before Prescale, as an annotation of the APIService
 * keeps it: where it is, by which authorities it is trusted, and what has to be restored.
 *
 * @param caBundle PEM in base64, as in the APIService
 * @param injectCaFrom the annotation of cert-manager
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
record FormerOwner(
    String namespace,
    String name,
    int port,
    @Nullable String caBundle,
    @Nullable Boolean insecureSkipTLSVerify,
    int groupPriorityMinimum,
    int versionPriority,
    @Nullable String injectCaFrom) {
  /** Where cert-manager takes the bundle of an APIService from, and writes it again and again. */
  static final String INJECTED = "cert-manager.io/inject-ca-from";

  /** Of the APIService, while requests pass through Prescale. */
  static final String ANNOTATION = "autoscaling.prescale.io/passes-through-to";

  private static final int HTTPS = 443;
  private static final int PRIORITY = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  FormerOwner {
    if (!namespace.matches("[a-z0-9-]+") || !name.matches("[a-z0-9-]+")) {
      throw new IllegalArgumentException("no service is named " + namespace + "/" + name);
    }
    if (port < 1 || port > Listener.HIGHEST_PORT) {
      throw new IllegalArgumentException("no service has the port " + port);
    }
  }

  /** The service that an APIService points to; empty when the API server serves it itself. */
  static Optional<FormerOwner> of(APIService there) {
    var spec = there.getSpec();
    return Optional.ofNullable(spec.getService())
        .map(
            service ->
                new FormerOwner(
                    service.getNamespace(),
                    service.getName(),
                    Objects.requireNonNullElse(service.getPort(), HTTPS),
                    spec.getCaBundle(),
                    spec.getInsecureSkipTLSVerify(),
                    Objects.requireNonNullElse(spec.getGroupPriorityMinimum(), PRIORITY),
                    Objects.requireNonNullElse(spec.getVersionPriority(), PRIORITY),
                    annotation(there, INJECTED)));
  }

  /** The one that an annotation keeps; empty without one that can be read. */
  static Optional<FormerOwner> keptBy(APIService there) {
    var text = annotation(there, ANNOTATION);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(JSON.readValue(text, FormerOwner.class));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  private static @Nullable String annotation(APIService there, String name) {
    var annotations = there.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and strings are JSON", e);
    }
  }

  /** Whether it has taken its place again by itself, perhaps with another certificate. */
  boolean isSameServiceAs(FormerOwner other) {
    return namespace.equals(other.namespace) && name.equals(other.name);
  }

  /** The APIService without the annotation. */
  static APIService unmarked(APIService there) {
    return new APIServiceBuilder(there)
        .editMetadata()
        .removeFromAnnotations(ANNOTATION)
        .endMetadata()
        .build();
  }

  /** The APIService as it was. */
  APIService restored(APIService there) {
    var metadata = new APIServiceBuilder(there).editMetadata().removeFromAnnotations(ANNOTATION);
    if (injectCaFrom != null) {
      metadata.addToAnnotations(INJECTED, injectCaFrom);
    }
    return metadata
        .endMetadata()
        .editSpec()
        .withNewService(name, namespace, port)
        .withCaBundle(caBundle)
        .withInsecureSkipTLSVerify(insecureSkipTLSVerify)
        .withGroupPriorityMinimum(groupPriorityMinimum)
        .withVersionPriority(versionPriority)
        .endSpec()
        .build();
  }

  /** The name in its certificate, and in the cluster's DNS. */
  String host() {
    return name + "." + namespace + ".svc";
  }

  boolean isVerified() {
    return !Boolean.TRUE.equals(insecureSkipTLSVerify);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
