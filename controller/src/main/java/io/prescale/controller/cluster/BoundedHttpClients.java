package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
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

  private final UnaryOperator<HttpClient> bounded;

  BoundedHttpClients(BoundedHttpClient.Limits limits) {
    this(limits, Optional.empty());
  }

  /**
   * The same.
   *
   * @param brief of which objects only a part is read
   */
  BoundedHttpClients(BoundedHttpClient.Limits limits, Optional<BriefJson> brief) {
    this.bounded = made -> new BoundedHttpClient(made, limits, brief, System::nanoTime);
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new Builder(super.createNewHttpClientBuilder(), bounded);
  }

  private record Builder(HttpClient.Builder made, UnaryOperator<HttpClient> bounded)
      implements HttpClient.Builder {
    @Override
    public HttpClient build() {
      return bounded.apply(made.build());
    }

    @Override
    public Builder cookieHandler(CookieHandler handler) {
      return new Builder(made.cookieHandler(handler), bounded);
    }

    @Override
    public Builder connectTimeout(Duration timeout) {
      return new Builder(made.connectTimeout(timeout), bounded);
    }

    @Override
    public Builder sslContext(SSLContext context) {
      return new Builder(made.sslContext(context), bounded);
    }

    @Override
    public Builder sslParameters(SSLParameters parameters) {
      return new Builder(made.sslParameters(parameters), bounded);
    }

    @Override
    public Builder executor(Executor executor) {
      return new Builder(made.executor(executor), bounded);
    }

    /** Credentials are shown to the server that was named, and to no other. */
    @Override
    public Builder followRedirects(Redirect policy) {
      return new Builder(made.followRedirects(Redirect.NEVER), bounded);
    }

    @Override
    public Builder version(Version version) {
      return new Builder(made.version(version), bounded);
    }

    @Override
    public Builder priority(int priority) {
      return new Builder(made.priority(priority), bounded);
    }

    @Override
    public Builder proxy(ProxySelector selector) {
      return new Builder(made.proxy(selector), bounded);
    }

    @Override
    public Builder authenticator(Authenticator authenticator) {
      return new Builder(made.authenticator(authenticator), bounded);
    }
  }
}
