package io.prescale.adapter.server;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.netty.ssl.CertificateProvidedSslBuilder;
import io.micronaut.http.server.netty.ssl.ServerSslBuilder;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** TLS 1.2 and 1.3 with a client certificate if the client has one. */
@Singleton
@Requires(bean = HttpsSettings.class)
@Replaces(CertificateProvidedSslBuilder.class)
final class MutualTls implements ServerSslBuilder {
  private final ServerSslConfiguration configuration;
  private final HttpsSettings settings;

  MutualTls(ServerSslConfiguration configuration, HttpsSettings settings) {
    this.configuration = configuration;
    this.settings = settings;
  }

  @Override
  public ServerSslConfiguration getSslConfiguration() {
    return configuration;
  }

  @Override
  public Optional<SslContext> build() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new CurrentKey(settings.certificate())},
          new TrustManager[] {new PossessionOnly(settings.trust())},
          null);
      return Optional.of(
          new JdkSslContext(
              context,
              false,
              Http2SecurityUtil.CIPHERS,
              SupportedCipherSuiteFilter.INSTANCE,
              new ApplicationProtocolConfig(
                  Protocol.ALPN,
                  SelectorFailureBehavior.NO_ADVERTISE,
                  SelectedListenerFailureBehavior.ACCEPT,
                  ApplicationProtocolNames.HTTP_2,
                  ApplicationProtocolNames.HTTP_1_1),
              ClientAuth.OPTIONAL,
              new String[] {"TLSv1.3", "TLSv1.2"},
              false));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }
}
