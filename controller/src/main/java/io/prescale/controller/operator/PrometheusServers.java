package io.prescale.controller.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.BasicAuthSpec;
import io.prescale.controller.api.v1alpha1.PrometheusSpec;
import io.prescale.controller.api.v1alpha1.SecretKeyRef;
import io.prescale.controller.api.v1alpha1.TlsSpec;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.prometheus.TlsOptions.ClientCertificate;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Prometheus server of each PredictiveHPA, with credentials from Secrets of its namespace. */
public final class PrometheusServers {

  /** Why there is no server to ask, in a sentence that names the remedy. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean secretMissing;

    Unusable(boolean secretMissing, String message) {
      super(message, null);
      this.secretMissing = secretMissing;
    }

    boolean secretMissing() {
      return secretMissing;
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  private final KubernetesClient client;
  private final Supplier<Optional<PrometheusServer>> usual;
  private final SecretFiles files;

  /**
   * @param usual the default, for a PredictiveHPA that names none; looked up every time
   */
  public PrometheusServers(
      KubernetesClient client, Supplier<Optional<PrometheusServer>> usual, SecretFiles files) {
    this.client = client;
    this.usual = usual;
    this.files = files;
  }

  /**
   * The server for one PredictiveHPA. Reads Secrets every time, so that a change takes effect at
   * once.
   */
  PrometheusServer server(String namespace, @Nullable PrometheusSpec spec) throws Unusable {
    if (spec == null) {
      return usual
          .get()
          .orElseThrow(
              () ->
                  new Unusable(
                      false,
                      "There is no Prometheus to ask; write spec.prometheus.url, or start the"
                          + " controller with --prometheus."));
    }
    try {
      return new PrometheusServer(
          spec.uri(), credentials(namespace, spec), headers(spec), tls(namespace, spec.tls()));
    } catch (IllegalArgumentException e) {
      throw new Unusable(false, "spec.prometheus: " + e.getMessage());
    }
  }

  private Credentials credentials(String namespace, PrometheusSpec spec) throws Unusable {
    if (spec.bearerToken() != null) {
      return new Credentials.Bearer(text(namespace, spec.bearerToken()));
    }
    BasicAuthSpec basic = spec.basicAuth();
    return basic == null
        ? new Credentials.None()
        : new Credentials.Basic(
            text(namespace, basic.username()), text(namespace, basic.password()));
  }

  private static List<Header> headers(PrometheusSpec spec) {
    var tenant = spec.tenant();
    return tenant == null ? List.of() : List.of(Header.tenant(tenant));
  }

  private TlsOptions tls(String namespace, @Nullable TlsSpec tls) throws Unusable {
    if (tls == null) {
      return TlsOptions.system();
    }
    var certificate = tls.certificate();
    var key = tls.key();
    var client =
        certificate == null || key == null
            ? Optional.<ClientCertificate>empty()
            : Optional.of(
                new ClientCertificate(file(namespace, certificate), file(namespace, key)));
    var ca = tls.ca();
    return new TlsOptions(
        ca == null ? Optional.empty() : Optional.of(file(namespace, ca)), false, client);
  }

  private Path file(String namespace, SecretKeyRef reference) throws Unusable {
    return files.holding(bytes(namespace, reference));
  }

  /** Files of tokens often end with a line break. */
  private String text(String namespace, SecretKeyRef reference) throws Unusable {
    return new String(bytes(namespace, reference), UTF_8).strip();
  }

  private byte[] bytes(String namespace, SecretKeyRef reference) throws Unusable {
    var secret = secret(namespace, reference);
    var data = secret.getData();
    var value = data == null ? null : data.get(reference.key());
    if (value == null) {
      throw new Unusable(
          true,
          "Secret %s of namespace %s has no key %s; add it, or correct spec.prometheus."
              .formatted(reference.name(), namespace, reference.key()));
    }
    return Base64.getDecoder().decode(value);
  }

  private Secret secret(String namespace, SecretKeyRef reference) throws Unusable {
    try {
      var secret = client.secrets().inNamespace(namespace).withName(reference.name()).get();
      if (secret != null) {
        return secret;
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        throw new Unusable(
            true,
            "Prescale may not read Secret %s of namespace %s; allow it to get that Secret."
                .formatted(reference.name(), namespace));
      }
      throw e;
    }
    throw new Unusable(
        true,
        "There is no Secret %s in namespace %s; create it, or correct spec.prometheus."
            .formatted(reference.name(), namespace));
  }
}
