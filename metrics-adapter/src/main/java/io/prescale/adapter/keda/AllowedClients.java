package io.prescale.adapter.keda;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.prescale.adapter.identity.CertificateNames;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Refuses callers whose certificate has none of these names. That an authority of ours signed it,
 * the handshake has shown.
 */
record AllowedClients(Set<String> names) implements ServerInterceptor {
  AllowedClients {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("no client may call; name one, such as keda-operator");
    }
    names = Set.copyOf(names);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var shown = namesOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
    if (Collections.disjoint(shown, names)) {
      call.close(
          Status.PERMISSION_DENIED.withDescription(
              "The client certificate is of %s, and only %s may call; give KEDA another one, or allow the name (--keda-client)."
                  .formatted(
                      shown.isEmpty() ? "nobody" : String.join(", ", shown),
                      String.join(", ", new TreeSet<>(names)))),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return next.startCall(call, headers);
  }

  private static SortedSet<String> namesOf(@Nullable SSLSession session) {
    try {
      return session != null && session.getPeerCertificates()[0] instanceof X509Certificate client
          ? CertificateNames.of(client)
          : Collections.emptySortedSet();
    } catch (SSLPeerUnverifiedException _) {
      return Collections.emptySortedSet();
    }
  }
}
