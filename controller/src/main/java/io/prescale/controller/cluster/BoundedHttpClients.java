package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Makes the client library's HTTP clients, each a {@link BoundedHttpClient}. */
final class BoundedHttpClients extends JdkHttpClientFactory {
  /**
   * In flight well below the 100 streams that an API server allows on a connection. 2,000
   * PredictiveHPAs that tick every minute send about 100 requests a second. A watch of which
   * nothing is heard for a minute begins anew.
   */
  static final BoundedHttpClient.Limits LIMITS =
      new BoundedHttpClient.Limits(64, 200, 400, Duration.ofSeconds(10), Duration.ofSeconds(20));

  private final BoundedHttpClient.Limits limits;

  BoundedHttpClients(BoundedHttpClient.Limits limits) {
    this.limits = limits;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new Builder(super.createNewHttpClientBuilder(), limits);
  }

  private record Builder(HttpClient.Builder made, BoundedHttpClient.Limits limits)
      implements HttpClient.Builder {
    @Override
    public HttpClient build() {
      return new BoundedHttpClient(made.build(), limits, System::nanoTime);
    }

    @Override
    public Builder cookieHandler(CookieHandler handler) {
      return new Builder(made.cookieHandler(handler), limits);
    }

    @Override
    public Builder connectTimeout(Duration timeout) {
      return new Builder(made.connectTimeout(timeout), limits);
    }

    @Override
    public Builder sslContext(SSLContext context) {
      return new Builder(made.sslContext(context), limits);
    }

    @Override
    public Builder sslParameters(SSLParameters parameters) {
      return new Builder(made.sslParameters(parameters), limits);
    }

    @Override
    public Builder executor(Executor executor) {
      return new Builder(made.executor(executor), limits);
    }

    /** Credentials are shown to the server that was named, and to no other. */
    @Override
    public Builder followRedirects(Redirect policy) {
      return new Builder(made.followRedirects(Redirect.NEVER), limits);
    }

    @Override
    public Builder version(Version version) {
      return new Builder(made.version(version), limits);
    }

    @Override
    public Builder priority(int priority) {
      return new Builder(made.priority(priority), limits);
    }

    @Override
    public Builder proxy(ProxySelector selector) {
      return new Builder(made.proxy(selector), limits);
    }

    @Override
    public Builder authenticator(Authenticator authenticator) {
      return new Builder(made.authenticator(authenticator), limits);
    }
  }
}
