package io.prescale.adapter.keda;

import static io.prescale.adapter.keda.KedaClient.refOf;
import static io.prescale.adapter.keda.KedaClient.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.TestAuthority;
import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may call KEDA's scaler, and how its port is bound and freed. */
class ScalerClientsTest {
  private ScalerFixture scaler;

  @BeforeEach
  void start() throws ListenerException {
    scaler = new ScalerFixture();
  }

  @AfterEach
  void stop() {
    scaler.close();
  }

  @Test
  void noCallerIsAnsweredWithoutACertificate() {
    refused(
        () -> scaler.client(Optional.empty()).specs(refOf("chat")), Status.Code.UNAVAILABLE, "");
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() {
    var stranger = new TestAuthority("stranger-ca", scaler.start).client("CN=keda-operator");

    refused(
        () -> scaler.client(Optional.of(stranger)).specs(refOf("chat")),
        Status.Code.UNAVAILABLE,
        "");
  }

  @Test
  void anEndedCertificateIsRefused() {
    var ended = scaler.clients.client("CN=keda-operator", scaler.start.minusSeconds(60));

    refused(
        () -> scaler.client(Optional.of(ended)).specs(refOf("chat")), Status.Code.UNAVAILABLE, "");
  }

  @Test
  void aServersCertificateIsNoClients() {
    var server = scaler.clients.server("CN=keda-operator");

    refused(
        () -> scaler.client(Optional.of(server)).specs(refOf("chat")), Status.Code.UNAVAILABLE, "");
  }

  @Test
  void anotherNameOfTheRightAuthorityIsTold() {
    var other = scaler.clients.client("CN=somebody");

    refused(
        () -> scaler.client(Optional.of(other)).specs(refOf("chat")),
        Status.Code.PERMISSION_DENIED,
        "The client certificate is of somebody, and only keda-operator, keda.example may call; give"
            + " KEDA another one, or allow the name (--keda-client).");
  }

  @Test
  void strangersWithoutAHandshakeDoNotDisplaceKeda() throws IOException {
    scaler.serve(1_000);
    var keda = scaler.operator();
    assertThat(keda.isActive(refOf("chat"))).isTrue();
    var strangers = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 150; i++) {
        strangers.add(new Socket(InetAddress.getLoopbackAddress(), scaler.server.port()));
      }
      assertThat(keda.isActive(refOf("chat"))).isTrue();
      assertThat(scaler.operator().isActive(refOf("chat"))).isTrue();
      assertThat(strangers.getFirst().getInputStream().read()).isEqualTo(-1); // closed
    } finally {
      for (var stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    try (var taken = new ServerSocket(0)) {
      var other =
          new ExternalScalerServer(
              new ExternalScaler(
                  scaler.model,
                  (_, _) -> Optional.empty(),
                  _ -> LabelSelector.everything(),
                  Optional::empty,
                  scaler.clock::get),
              new ScalerTls(
                  () -> {
                    throw new IllegalStateException("no handshake happens");
                  },
                  List.of(scaler.clients.certificate()),
                  Set.of("keda-operator")),
              Listener.plain("keda", "127.0.0.1", taken.getLocalPort()));

      assertThatExceptionOfType(ListenerException.class)
          .isThrownBy(other::start)
          .withMessageContaining("cannot listen on 127.0.0.1 port " + taken.getLocalPort());
      other.close();
    }
  }

  @Test
  void itStopsWithinSecondsAndFreesThePort() throws IOException {
    int port = scaler.server.port();
    scaler.serve(1_000);
    scaler.operator().isActive(refOf("chat"));
    long before = System.nanoTime();

    scaler.server.close();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    new ServerSocket(port).close();
  }
}
