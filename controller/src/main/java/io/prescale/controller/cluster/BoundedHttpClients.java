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
  /** Well below the 100 streams that an API server allows on a connection. */
  static final int IN_FLIGHT = 64;

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new Builder(super.createNewHttpClientBuilder());
  }

  private record Builder(HttpClient.Builder made) implements HttpClient.Builder {
    @Override
    public HttpClient build() {
      return new BoundedHttpClient(made.build(), IN_FLIGHT, System::nanoTime);
    }

    @Override
    public Builder cookieHandler(CookieHandler handler) {
      return new Builder(made.cookieHandler(handler));
    }

    @Override
    public Builder connectTimeout(Duration timeout) {
      return new Builder(made.connectTimeout(timeout));
    }

    @Override
    public Builder sslContext(SSLContext context) {
      return new Builder(made.sslContext(context));
    }

    @Override
    public Builder sslParameters(SSLParameters parameters) {
      return new Builder(made.sslParameters(parameters));
    }

    @Override
    public Builder executor(Executor executor) {
      return new Builder(made.executor(executor));
    }

    @Override
    public Builder followRedirects(Redirect policy) {
      return new Builder(made.followRedirects(policy));
    }

    @Override
    public Builder version(Version version) {
      return new Builder(made.version(version));
    }

    @Override
    public Builder priority(int priority) {
      return new Builder(made.priority(priority));
    }

    @Override
    public Builder proxy(ProxySelector selector) {
      return new Builder(made.proxy(selector));
    }

    @Override
    public Builder authenticator(Authenticator authenticator) {
      return new Builder(made.authenticator(authenticator));
    }
  }
}
