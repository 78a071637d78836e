package io.prescale.adapter.keda;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.prescale.adapter.server.CurrentKey;
import io.prescale.adapter.server.ServingCertificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * Who may call, and what is shown to them. KEDA authenticates itself by a client certificate and by
 * nothing else.
 *
 * @param certificate of the moment; new handshakes show it
 * @param authorities that sign the certificates of clients; at least one
 * @param clients names of certificates that may call
 */
public record ScalerTls(
    Supplier<ServingCertificate> certificate,
    List<X509Certificate> authorities,
    Set<String> clients) {
  public ScalerTls {
    authorities = List.copyOf(authorities);
    clients = Set.copyOf(clients);
    if (authorities.isEmpty() || clients.isEmpty()) {
      throw new IllegalArgumentException(
          "%d authorities and %d names of clients; KEDA needs one of each"
              .formatted(authorities.size(), clients.size()));
    }
  }

  SslContext context() {
    try {
      var builder =
          SslContextBuilder.forServer(new CurrentKey(certificate))
              .trustManager(authorities)
              .clientAuth(ClientAuth.REQUIRE)
              .protocols("TLSv1.3", "TLSv1.2");
      return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
    } catch (SSLException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }
}
