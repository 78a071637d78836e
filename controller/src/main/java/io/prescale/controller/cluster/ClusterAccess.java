package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster, and by whose rights.
 *
 * @param kubeconfig the file; empty for $KUBECONFIG, ~/.kube/config or the pod's service account
 * @param context context of the kubeconfig; empty for its current one
 */
public record ClusterAccess(Optional<Path> kubeconfig, Optional<String> context) {
  /** With the time that a request waits behind others, of which a start has thousands. */
  private static final int REQUEST_TIMEOUT_MILLIS = 60_000;

  /** Few, because the next tick retries a failed one. */
  private static final int RETRIES = 2;

  private static final String NOT_FOUND = "https://kubernetes.default.svc/";

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END");

  /** What is done with a client. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    T with(KubernetesClient client) throws ClusterException, IOException, InterruptedException;
  }

  /**
   * Opens a client, works with it and closes it.
   *
   * @throws ClusterException if the configuration cannot be used, or the API server refuses
   * @throws IOException as the work throws it
   */
  public <T extends @Nullable Object> T work(Work<T> work)
      throws ClusterException, IOException, InterruptedException {
    try (var client = open()) {
      return work.with(client);
    } catch (KubernetesClientException e) {
      throw new ClusterException(
          "The API server%s: %s"
              .formatted(ApiFailure.isUnanswered(e) ? at() : "", ApiFailure.text(e)),
          e);
    }
  }

  /** Where it should be, for one that does not answer. */
  private String at() {
    try {
      return " at %s (of %s)".formatted(config().getMasterUrl(), name());
    } catch (ClusterException | IOException _) {
      return "";
    }
  }

  /** The namespace of the kubeconfig's context, or the pod's. */
  public String namespace() throws ClusterException {
    return Objects.requireNonNullElse(inWords(this::config).getNamespace(), "default");
  }

  /** Reads a PredictiveHPA; empty if it does not exist. */
  public Optional<PredictiveHPA> find(String namespace, String name)
      throws ClusterException, IOException, InterruptedException {
    return work(
        client ->
            Optional.ofNullable(
                client.resources(PredictiveHPA.class).inNamespace(namespace).withName(name).get()));
  }

  private KubernetesClient open() throws ClusterException {
    return inWords(() -> client(config()));
  }

  /**
   * Another client of the same cluster, with connections of its own: its requests neither wait for
   * those of the first one nor delay them.
   */
  public static KubernetesClient apart(KubernetesClient client) {
    return client(client.getConfiguration());
  }

  /**
   * The same for requests that are of no use later, and that are not repeated.
   *
   * @param longest for a request
   */
  public static KubernetesClient apart(KubernetesClient client, Duration longest) {
    return client(
        new ConfigBuilder(client.getConfiguration())
            .withRequestTimeout(Math.toIntExact(longest.toMillis()))
            .withRequestRetryBackoffLimit(0)
            .build());
  }

  /**
   * A client of another server that trusts this cluster's credentials. Over HTTP/1.1, where Java's
   * client reads no further ahead than some kilobytes; over HTTP/2 it would be up to 16 MiB.
   *
   * @param authorities of its certificate, PEM in base64; empty for the system's
   * @param verified whether its certificate must be of them
   */
  public static KubernetesClient elsewhere(
      KubernetesClient client, String url, Optional<String> authorities, boolean verified) {
    return client(
        new ConfigBuilder(client.getConfiguration())
            .withMasterUrl(url)
            .withCaCertFile(null)
            .withCaCertData(authorities.orElse(null))
            .withTrustCerts(!verified)
            .withDisableHostnameVerification(!verified)
            .withHttp2Disable(true)
            .withRequestRetryBackoffLimit(0)
            .build());
  }

  /**
   * The same, of which lists and watches of one kind bring only what is kept of each object.
   *
   * @param brief that kind
   */
  public static KubernetesClient apart(KubernetesClient client, BriefJson brief) {
    return client(client.getConfiguration(), Optional.of(brief));
  }

  private static KubernetesClient client(Config config) {
    return client(config, Optional.empty());
  }

  private static KubernetesClient client(Config config, Optional<BriefJson> brief) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(HpaReader.json())
        .withHttpClientFactory(new BoundedHttpClients(BoundedHttpClients.LIMITS, brief))
        .build();
  }

  /**
   * Says of a kubeconfig that cannot be used why, before the API server is asked anything. What
   * parsers say is left out, because they quote the file, and with it its secrets.
   */
  private <T> T inWords(Callable<T> made) throws ClusterException {
    try {
      return made.call();
    } catch (ClusterException e) {
      throw e;
    } catch (Exception e) {
      var cause = ApiFailure.innermost(e);
      throw new ClusterException(
          cause instanceof NoSuchFileException || cause instanceof FileNotFoundException
              ? "The kubeconfig names a file that is not there: %s.".formatted(cause.getMessage())
              : cause instanceof GeneralSecurityException
                  ? "The kubeconfig %s has a certificate or key that cannot be used; renew it."
                      .formatted(name())
                  : notAKubeconfig(),
          e);
    }
  }

  private String notAKubeconfig() {
    return "%s is not a kubeconfig; give one that 'kubectl config view' can read, with --kubeconfig."
        .formatted(name());
  }

  /** The kubeconfigs that are read when none is given; they need not be there. */
  public static List<Path> defaultKubeconfigs() {
    return Config.getKubeconfigFilenames().stream().map(Path::of).toList();
  }

  private String name() {
    return kubeconfig.map(Path::toString).orElse("$KUBECONFIG or ~/.kube/config");
  }

  private Config config() throws ClusterException, IOException {
    var config =
        kubeconfig.isPresent()
            ? Config.fromKubeconfig(context.orElse(null), kubeconfig.get().toFile())
            : Config.autoConfigure(context.orElse(null));
    requireCluster(config);
    if (context.isPresent()) {
      requireContext(config, context.get());
    }
    var patient =
        new ConfigBuilder(config)
            .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
            .withRequestRetryBackoffLimit(RETRIES)
            .build();
    if (hasEllipticKey(config)) {
      patient.setClientKeyAlgo("EC");
    }
    return patient;
  }

  /** Refuses the library's default address, which it uses without a configuration. */
  private void requireCluster(Config config) throws ClusterException {
    if (config.getContexts().isEmpty()
        && config.getAutoOAuthToken() == null
        && config.getMasterUrl().equals(NOT_FOUND)) {
      throw new ClusterException(
          kubeconfig.isPresent()
              ? notAKubeconfig()
              : "There is no kubeconfig ($KUBECONFIG, ~/.kube/config), and this is not a pod; give"
                  + " --kubeconfig FILE.");
    }
  }

  /** Refuses an unknown context, for which the library would use the current one. */
  private void requireContext(Config config, String name) throws ClusterException {
    var names = config.getContexts().stream().map(NamedContext::getName).toList();
    if (!names.contains(name)) {
      throw new ClusterException(
          names.isEmpty()
              ? "The kubeconfig %s has no context.".formatted(name())
              : "The kubeconfig %s has no context %s, only %s."
                  .formatted(name(), name, String.join(", ", names)));
    }
  }

  /** Whether the key is elliptic; the client library would take every PKCS #8 key for RSA. */
  private static boolean hasEllipticKey(Config config) throws IOException {
    var key = PKCS8.matcher(pem(config).orElse(""));
    if (!key.find()) {
      return false;
    }
    try {
      var der = Base64.getMimeDecoder().decode(key.group(1));
      KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private static Optional<String> pem(Config config) throws IOException {
    if (config.getClientKeyData() != null) {
      return Optional.of(new String(Base64.getDecoder().decode(config.getClientKeyData()), UTF_8));
    }
    if (config.getClientKeyFile() != null) {
      return Optional.of(Files.readString(Path.of(config.getClientKeyFile())));
    }
    return Optional.empty();
  }
}
