package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** Opens a client for an API server, by a kubeconfig or the pod's service account. */
public final class KubernetesAccess {
  private static final int REQUEST_TIMEOUT_MILLIS = 10_000;

  /** Few, because the next tick retries a failed one. */
  private static final int RETRIES = 2;

  private static final String NOT_FOUND = "https://kubernetes.default.svc/";

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END");

  private KubernetesAccess() {}

  /**
   * Creates a client without sending a request.
   *
   * @param kubeconfig the file; empty for $KUBECONFIG, ~/.kube/config or the pod's service account
   * @param context context of the kubeconfig; empty for its current one
   * @throws IOException if the file cannot be read
   * @throws KubernetesClientException if its content cannot be used
   * @throws IllegalArgumentException if no configuration is found, or no such context
   */
  public static KubernetesClient open(Optional<Path> kubeconfig, Optional<String> context)
      throws IOException {
    var config =
        kubeconfig.isPresent()
            ? Config.fromKubeconfig(context.orElse(null), existing(kubeconfig.get()))
            : Config.autoConfigure(context.orElse(null));
    context.ifPresent(name -> requireContext(config, name));
    requireCluster(config);
    var patient =
        new ConfigBuilder(config)
            .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
            .withRequestRetryBackoffLimit(RETRIES)
            .build();
    if (hasEllipticKey(config)) {
      patient.setClientKeyAlgo("EC");
    }
    return new KubernetesClientBuilder().withConfig(patient).build();
  }

  /** Refuses the library's default address, which it uses without a configuration. */
  private static void requireCluster(Config config) {
    if (config.getContexts().isEmpty()
        && config.getAutoOAuthToken() == null
        && config.getMasterUrl().equals(NOT_FOUND)) {
      throw new IllegalArgumentException(
          "there is none ($KUBECONFIG, ~/.kube/config), and this is not a pod; give --kubeconfig"
              + " FILE");
    }
  }

  /** Refuses an unknown context, for which the library would use the current one. */
  private static void requireContext(Config config, String name) {
    var names = config.getContexts().stream().map(NamedContext::getName).toList();
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          names.isEmpty()
              ? "it has no context " + name
              : "it has no context %s, only %s".formatted(name, String.join(", ", names)));
    }
  }

  private static File existing(Path kubeconfig) throws IOException {
    if (!Files.isReadable(kubeconfig)) {
      throw new NoSuchFileException(kubeconfig.toString());
    }
    return kubeconfig.toFile();
  }

  /** Reads a PredictiveHPA; empty if it does not exist. */
  public static Optional<PredictiveHPA> find(
      KubernetesClient client, String namespace, String name) {
    return Optional.ofNullable(
        client.resources(PredictiveHPA.class).inNamespace(namespace).withName(name).get());
  }

  public static String json(KubernetesClient client, Object value) {
    KubernetesSerialization serialization = client.getKubernetesSerialization();
    return serialization.asJson(value);
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
