package io.prescale.controller.operator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.BasicAuthSpec;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.OAuth2Spec;
import io.prescale.controller.api.v1alpha1.PrometheusSpec;
import io.prescale.controller.api.v1alpha1.SecretKeyRef;
import io.prescale.controller.api.v1alpha1.TlsSpec;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.ClientCredentials;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PemSource;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.prometheus.TlsOptions.ClientCertificate;
import java.net.HttpURLConnection;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Prometheus server of each PredictiveHPA, with credentials from Secrets of its namespace. */
public final class PrometheusServers {
  private final CachedSecrets secrets;
  private final Supplier<Optional<PrometheusServer>> usual;
  private final AllowedServers allowed;
  private final boolean enforceNamespace;

  /**
   * @param nanoTime a clock that never goes back, for the life of Secrets
   * @param usual the default, for a PredictiveHPA that names none; looked up every time
   * @param allowed that a PredictiveHPA may name besides
   * @param enforceNamespace whether the default is asked for series of the PredictiveHPA's own
   *     namespace alone; then it may not be named, unless it is allowed itself
   */
  public PrometheusServers(
      KubernetesClient client,
      LongSupplier nanoTime,
      Supplier<Optional<PrometheusServer>> usual,
      AllowedServers allowed,
      boolean enforceNamespace) {
    this.secrets = new CachedSecrets(client, nanoTime);
    this.usual = usual;
    this.allowed = allowed;
    this.enforceNamespace = enforceNamespace;
  }

  /**
   * The server for one PredictiveHPA, with Secrets that are at most {@link CachedSecrets#LIFE} old.
   */
  PrometheusServer server(String namespace, @Nullable PrometheusSpec spec) throws NotReady {
    if (spec == null) {
      return usual
          .get()
          .map(it -> enforceNamespace ? it.withEnforcedNamespace(namespace) : it)
          .orElseThrow(
              () ->
                  new NotReady(
                      ConditionReason.InvalidSpec,
                      "There is no Prometheus to ask; write spec.prometheus.url, or start the"
                          + " controller with --prometheus."));
    }
    try {
      var servers = nameable();
      requireListed("url", PrometheusServer.at(spec.uri()), servers);
      return new PrometheusServer(
          spec.uri(),
          credentials(namespace, spec, servers),
          headers(spec),
          tls(namespace, spec.tls()),
          Optional.of(servers));
    } catch (IllegalArgumentException e) {
      throw new NotReady(ConditionReason.InvalidSpec, "spec.prometheus: " + e.getMessage());
    }
  }

  /** Reads the Secrets of a namespace again before its servers are next asked. */
  void rereadSecrets(String namespace) {
    secrets.forget(namespace);
  }

  /** A default that is named is asked without the namespace. */
  private AllowedServers nameable() {
    return enforceNamespace ? allowed : usual.get().map(it -> allowed.and(it)).orElse(allowed);
  }

  private static void requireListed(String field, PrometheusServer server, AllowedServers servers)
      throws NotReady {
    if (!servers.list(server)) {
      throw new NotReady(
          ConditionReason.InvalidSpec,
          "spec.prometheus.%s is %s, which an administrator must allow first: --allow-prometheus of the controller, prometheus.allowedServers of the chart."
              .formatted(field, server.url()));
    }
  }

  private Credentials credentials(String namespace, PrometheusSpec spec, AllowedServers servers)
      throws NotReady {
    if (spec.oauth2() != null) {
      requireListed("oauth2.tokenUrl", PrometheusServer.at(spec.oauth2().tokenUri()), servers);
      return client(namespace, spec.oauth2());
    }
    if (spec.bearerToken() != null) {
      return new Credentials.Bearer(text(namespace, spec.bearerToken()));
    }
    BasicAuthSpec basic = spec.basicAuth();
    return basic == null
        ? new Credentials.None()
        : new Credentials.Basic(
            text(namespace, basic.username()), text(namespace, basic.password()));
  }

  private ClientCredentials client(String namespace, OAuth2Spec oauth2) throws NotReady {
    var ca = oauth2.ca();
    return new ClientCredentials(
        oauth2.tokenUri(),
        text(namespace, oauth2.clientId()),
        text(namespace, oauth2.clientSecret()),
        Optional.ofNullable(oauth2.scope()),
        Optional.ofNullable(oauth2.audience()),
        new TlsOptions(
            ca == null ? Optional.empty() : Optional.of(pem(namespace, ca)),
            false,
            Optional.empty()));
  }

  private static List<Header> headers(PrometheusSpec spec) {
    var tenant = spec.tenant();
    return tenant == null ? List.of() : List.of(Header.tenant(tenant));
  }

  private TlsOptions tls(String namespace, @Nullable TlsSpec tls) throws NotReady {
    if (tls == null) {
      return TlsOptions.system();
    }
    var certificate = tls.certificate();
    var key = tls.key();
    var client =
        certificate == null || key == null
            ? Optional.<ClientCertificate>empty()
            : Optional.of(new ClientCertificate(pem(namespace, certificate), pem(namespace, key)));
    var ca = tls.ca();
    return new TlsOptions(
        ca == null ? Optional.empty() : Optional.of(pem(namespace, ca)), false, client);
  }

  private PemSource pem(String namespace, SecretKeyRef reference) throws NotReady {
    return new PemSource.InSecret(
        "Key %s of Secret %s".formatted(reference.key(), reference.name()),
        new String(bytes(namespace, reference), ISO_8859_1));
  }

  /** Files of tokens often end with a line break. */
  private String text(String namespace, SecretKeyRef reference) throws NotReady {
    return new String(bytes(namespace, reference), UTF_8).strip();
  }

  private byte[] bytes(String namespace, SecretKeyRef reference) throws NotReady {
    var value = data(namespace, reference).get(reference.key());
    if (value == null) {
      throw new NotReady(
          ConditionReason.SecretNotFound,
          "Secret %s of namespace %s has no key %s; add it, or correct spec.prometheus."
              .formatted(reference.name(), namespace, reference.key()));
    }
    return Base64.getDecoder().decode(value);
  }

  private Map<String, String> data(String namespace, SecretKeyRef reference) throws NotReady {
    try {
      return secrets
          .data(namespace, reference.name(), reference.key())
          .orElseThrow(
              () ->
                  new NotReady(
                      ConditionReason.SecretNotFound,
                      "There is no Secret %s in namespace %s; create it, or correct spec.prometheus."
                          .formatted(reference.name(), namespace)));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        throw new NotReady(
            ConditionReason.SecretNotFound,
            "Prescale may not read Secret %s of namespace %s; allow it to get that Secret."
                .formatted(reference.name(), namespace));
      }
      throw e;
    }
  }
}
