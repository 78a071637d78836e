package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.controller.MockApi;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ConfigMap by which a cluster says whom it trusts as its front proxy. */
@MockApi(crud = true)
@Timeout(180)
@NullUnmarked // the extension sets the client
class ExtensionAuthenticationTest {
  private static final String NAME = "extension-apiserver-authentication";
  private KubernetesClient client;

  @Test
  void whatWasReadLastStandsWhileItIsMissingOrMalformed() {
    try (var trust = new ExtensionAuthentication(client)) {
      trust.start();
      assertThat(trust.get()).as("there is none yet").isEmpty();
      put("[\"front-proxy-client\"]");
      awaitNames(trust, "front-proxy-client");

      client.configMaps().inNamespace("kube-system").withName(NAME).delete();
      put("no array");
      put("[\"other-proxy\"]");

      awaitNames(trust, "front-proxy-client", "other-proxy");
    }
  }

  /** Until the last ones are trusted; meanwhile nothing else than these in this order. */
  private static void awaitNames(ExtensionAuthentication trust, String... expected) {
    var last = List.of(expected[expected.length - 1]);
    await()
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> {
              var names = trust.get().map(TrustSettings::proxyNames);
              assertThat(names.isEmpty() || List.of(expected).containsAll(names.get())).isTrue();
              assertThat(expected.length == 1 || names.isPresent()).isTrue();
              return names.filter(last::equals).isPresent();
            });
  }

  private void put(String names) {
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("kube-system")
            .withName(NAME)
            .endMetadata()
            .addToData("requestheader-allowed-names", names)
            .build();
    client
        .configMaps()
        .inNamespace("kube-system")
        .resource(map)
        .createOr(NonDeletingOperation::update);
  }
}
