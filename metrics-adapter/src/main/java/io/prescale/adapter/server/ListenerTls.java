package io.prescale.adapter.server;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
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
import java.util.List;
import java.util.Optional;

/** TLS 1.2 and 1.3 by {@link TlsSettings}. */
@Singleton
@Requires(bean = TlsSettings.class)
@Replaces(CertificateProvidedSslBuilder.class)
final class ListenerTls implements ServerSslBuilder {
  private final ServerSslConfiguration configuration;
  private final TlsSettings settings;
  private final List<String> protocols;

  ListenerTls(
      ServerSslConfiguration configuration,
      TlsSettings settings,
      NettyHttpServerConfiguration server) {
    this.configuration = configuration;
    this.settings = settings;
    this.protocols =
        server.getHttpVersion() == HttpVersion.HTTP_2_0
            ? List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)
            : List.of(ApplicationProtocolNames.HTTP_1_1);
  }

  @Override
  public ServerSslConfiguration getSslConfiguration() {
    return configuration;
  }

  @Override
  public Optional<SslContext> build() {
    return Optional.of(
        new JdkSslContext(
            settings.context(),
            false,
            Http2SecurityUtil.CIPHERS,
            SupportedCipherSuiteFilter.INSTANCE,
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                protocols),
            clientAuth(),
            new String[] {"TLSv1.3", "TLSv1.2"},
            false));
  }

  private ClientAuth clientAuth() {
    return switch (settings.clients()) {
      case NEED_CERTIFICATE -> ClientAuth.REQUIRE;
      case MAY_HAVE_CERTIFICATE -> ClientAuth.OPTIONAL;
      case NOT_ASKED -> ClientAuth.NONE;
    };
  }
}
