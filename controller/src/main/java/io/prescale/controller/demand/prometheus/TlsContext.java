package io.prescale.controller.demand.prometheus;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.prescale.controller.certificates.Pem;
import io.prescale.controller.input.FileProblem;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Turns {@link TlsOptions} into what the JDK's HTTP client wants. */
public final class TlsContext {
  private TlsContext() {}

  /** The context; refuses files that are not there or hold something else. */
  public static SSLContext of(TlsOptions options) throws PrometheusException {
    try {
      return options.equals(TlsOptions.system()) ? SSLContext.getDefault() : made(options);
    } catch (SSLException | NoSuchAlgorithmException e) {
      throw new PrometheusException(
          Problem.ACCESS_DENIED, "TLS cannot be set up: " + e.getMessage() + ".", e);
    }
  }

  private static SSLContext made(TlsOptions options) throws PrometheusException, SSLException {
    var builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
    if (options.insecure()) {
      // Its trust manager also keeps the JDK from comparing the host's name.
      builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
    } else if (options.ca().isPresent()) {
      builder.trustManager(certificates(options.ca().get()));
    }
    if (options.client().isPresent()) {
      var client = options.client().get();
      builder.keyManager(privateKey(client.key()), certificates(client.certificate()));
    }
    return ((JdkSslContext) builder.build()).context();
  }

  private static List<X509Certificate> certificates(PemSource source) throws PrometheusException {
    try {
      var certificates = Pem.certificates(text(source));
      if (!certificates.isEmpty()) {
        return certificates;
      }
    } catch (IOException e) {
      throw unusable(source, "holds no certificate in PEM", e);
    }
    throw unusable(source, "holds no certificate in PEM", null);
  }

  private static PrivateKey privateKey(PemSource source) throws PrometheusException {
    try {
      return Pem.key(text(source));
    } catch (IOException e) {
      throw unusable(source, "holds no unencrypted private key in PEM", e);
    }
  }

  private static String text(PemSource source) throws PrometheusException {
    try {
      return source.text();
    } catch (IOException e) {
      throw unusable(source, FileProblem.of(e), e);
    }
  }

  private static PrometheusException unusable(
      PemSource source, String problem, @Nullable Exception e) {
    return new PrometheusException(Problem.ACCESS_DENIED, "%s: %s.".formatted(source, problem), e);
  }
}
