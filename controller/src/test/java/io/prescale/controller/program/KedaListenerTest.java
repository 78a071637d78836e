package io.prescale.controller.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.keda.ExternalScalerServer;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.MockApi;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.certificates.Pem;
import io.prescale.controller.demand.prometheus.SelfSigned;
import io.prescale.controller.operator.ControllerSettings;
import io.prescale.controller.operator.TenantLimits;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.plan.live.AheadSettings;
import io.prescale.controller.serving.AdapterSettings;
import io.prescale.controller.serving.KedaSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The port for KEDA among the others of a replica; what is said on it is tested with its server.
 */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class KedaListenerTest {
  @TempDir private Path folder;
  private KubernetesClient client;

  @Test
  void itIsBoundAndFreed() throws Exception {
    int port = freePort();
    try (var context = start(port)) {
      assertThat(context.bean(ExternalScalerServer.class).port()).isEqualTo(port);
    }
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> start(taken.getLocalPort()).close())
          .isInstanceOfSatisfying(
              ListenerException.class,
              e -> assertThat(e.listener().name()).isEqualTo(KedaSettings.LISTENER));
    }
  }

  @Test
  void withoutTheExternalMetricsApiThereIsNoCertificateToShow() throws Exception {
    var keda = keda(1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(Optional.empty(), keda))
        .withMessageContaining("KEDA is shown the certificate of the external metrics API");
  }

  private ListeningContext start(int port) throws Exception {
    var settings = settings(Optional.of(adapter()), keda(port));
    return ControllerProgram.start(client, new HpaFeatures(true), settings, Clock.systemUTC());
  }

  private static ControllerProgram.Settings settings(
      Optional<AdapterSettings> adapter, KedaSettings keda) {
    return new ControllerProgram.Settings(
        new ControllerSettings(
            Optional::empty, Set.of(), "prescale", "replica", false, TenantLimits.defaults()),
        false,
        adapter,
        Optional.of(keda),
        "127.0.0.1",
        0,
        0,
        Optional.empty(),
        OptionalDouble.empty(),
        new AheadSettings(Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private KedaSettings keda(int port) throws Exception {
    var authority = Files.readString(certificate("keda-operator").certificate());
    return new KedaSettings(
        "127.0.0.1", port, Pem.certificates(authority), Set.of("keda-operator"));
  }

  private AdapterSettings adapter() throws Exception {
    var serving = certificate("prescale");
    return new AdapterSettings(
        "127.0.0.1",
        freePort(),
        "prescale",
        "prescale",
        443,
        new Certificates.FromFiles(serving.certificate(), serving.key(), Optional.empty()),
        ReviewTtl.usual(),
        false,
        AdapterSettings.PassThrough.NONE,
        "0",
        "replica");
  }

  private SelfSigned certificate(String name) throws Exception {
    return SelfSigned.create(folder, name, "dns:localhost", "EC");
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
