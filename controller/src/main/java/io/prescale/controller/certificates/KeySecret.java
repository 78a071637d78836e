package io.prescale.controller.certificates;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.adapter.server.ServingCertificate;
import io.prescale.controller.cluster.ApiFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps the certificate in a Secret that all replicas share. Any replica renews it when due; if two
 * do so at once, the API server accepts one write, and the other replica reads that.
 */
public final class KeySecret implements ServingKeys {
  private static final String AUTHORITIES = "ca.crt";
  private static final String AUTHORITY_KEY = "ca.key";
  private static final String CHAIN = "tls.crt";
  private static final String KEY = "tls.key";

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final KeyRotation rotation;

  public KeySecret(KubernetesClient client, String namespace, String name, KeyRotation rotation) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.rotation = rotation;
  }

  @Override
  public Current refresh(Instant now) throws IOException {
    try {
      return current(material(now));
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isConflict(e)) {
        throw new IOException("secret %s/%s: %s".formatted(namespace, name, ApiFailure.text(e)), e);
      }
      return current(read(find())); // another replica wrote first
    }
  }

  private KeyMaterial material(Instant now) throws IOException {
    var secret = find();
    if (secret == null) {
      var first = rotation.begin(now);
      client.secrets().inNamespace(namespace).resource(secret(first).build()).create();
      return first;
    }
    if (secret.getData() == null || secret.getData().isEmpty()) {
      // The installation creates the empty Secret, so that it is removed together with Prescale.
      var first = rotation.begin(now);
      replace(secret, first);
      return first;
    }
    var material = read(secret);
    var next = rotation.next(material, now);
    if (next.isPresent()) {
      replace(secret, next.get());
    }
    return next.orElse(material);
  }

  /** Replaces the Secret; the API server refuses if it has changed since it was read. */
  private void replace(Secret secret, KeyMaterial material) {
    var renewed = new SecretBuilder(secret).withData(data(material)).build();
    client.secrets().inNamespace(namespace).resource(renewed).update();
  }

  private Secret find() {
    return client.secrets().inNamespace(namespace).withName(name).get();
  }

  private SecretBuilder secret(KeyMaterial material) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .addToLabels("app.kubernetes.io/managed-by", "prescale")
        .endMetadata()
        .withType("Opaque")
        .withData(data(material));
  }

  private static Current current(KeyMaterial material) {
    return new Current(material.serving(), Optional.of(Pem.write(material.authorities())));
  }

  private static Map<String, String> data(KeyMaterial material) {
    return Map.of(
        AUTHORITIES, encoded(material.authorities()),
        AUTHORITY_KEY, encoded(List.of(material.authorityKey())),
        CHAIN, encoded(material.serving().chain()),
        KEY, encoded(List.of(material.serving().key())));
  }

  private static String encoded(List<?> objects) {
    return Base64.getEncoder().encodeToString(Pem.write(objects).getBytes(StandardCharsets.UTF_8));
  }

  private KeyMaterial read(Secret secret) throws IOException {
    try {
      var data = Objects.requireNonNullElse(secret.getData(), Map.<String, String>of());
      return new KeyMaterial(
          Pem.certificates(decoded(data, AUTHORITIES)),
          Pem.key(decoded(data, AUTHORITY_KEY)),
          new ServingCertificate(
              Pem.key(decoded(data, KEY)), Pem.certificates(decoded(data, CHAIN))));
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          "secret %s/%s does not hold what prescale writes into it (%s); delete it to have it made anew"
              .formatted(namespace, name, e.getMessage()),
          e);
    }
  }

  private static String decoded(Map<String, String> data, String key) {
    return new String(
        Base64.getDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.UTF_8);
  }
}
