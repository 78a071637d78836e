package io.prescale.controller.lab;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.certificates.CertificateMaker;
import io.prescale.controller.certificates.KeyRotation;
import io.prescale.controller.certificates.KeySecret;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The Secret that all replicas share, of the Service prescale in the namespace prescale. */
record SecretOfCertificate(KubernetesClient client) {
  private static final String SERVICE = "prescale.prescale";

  /** The certificate's life without the time in which it is renewed. */
  private static final Duration RENEWED_AFTER = Duration.ofDays(60);

  /** Makes it, with a certificate that is renewed when a replica looks after this time. */
  void makeDue(Instant time) throws IOException {
    var names = List.of(SERVICE + ".svc", SERVICE, "prescale", SERVICE + ".svc.cluster.local");
    var rotation = new KeyRotation(new CertificateMaker(), names);
    new KeySecret(client, "prescale", "prescale-tls", rotation).refresh(time.minus(RENEWED_AFTER));
  }

  String certificate() {
    var secret = client.secrets().inNamespace("prescale").withName("prescale-tls").require();
    return Objects.requireNonNull(secret.getData().get("tls.crt"));
  }
}
