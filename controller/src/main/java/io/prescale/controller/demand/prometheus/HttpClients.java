package io.prescale.controller.demand.prometheus;

import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What {@link PrometheusClient}s share: one HTTP client for each TLS setting, however many servers
 * are asked, and one access token for each client of a token server. Either is closed when the last
 * that uses it is. Thread-safe.
 */
public final class HttpClients {
  private final Map<Setting, Shared<HttpClient>> clients = new HashMap<>();
  private final Map<TokenSetting, Shared<AccessTokens>> tokens = new HashMap<>();

  private record Setting(TlsOptions tls, Duration connecting) {}

  private record TokenSetting(
      ClientCredentials client, Optional<AllowedServers> allowed, Duration connecting) {}

  private static final class Shared<T> {
    private final T value;
    private int users;

    private Shared(T value) {
      this.value = value;
    }
  }

  /** The client for a setting; {@link #release} must follow. */
  synchronized HttpClient use(TlsOptions tls, Duration connecting) throws PrometheusException {
    var setting = new Setting(tls, connecting);
    var shared = clients.get(setting);
    if (shared == null) {
      shared = new Shared<>(client(setting));
      clients.put(setting, shared);
    }
    shared.users++;
    return shared.value;
  }

  private static HttpClient client(Setting setting) throws PrometheusException {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(setting.connecting())
        .proxy(ProxySelector.getDefault())
        .sslContext(TlsContext.of(setting.tls()))
        .build();
  }

  /** The last release closes the client and cancels its requests. */
  synchronized void release(TlsOptions tls, Duration connecting) {
    var setting = new Setting(tls, connecting);
    var shared = Objects.requireNonNull(clients.get(setting), "it was used");
    if (--shared.users == 0) {
      clients.remove(setting);
      shared.value.shutdownNow();
    }
  }

  /** The tokens of a client; {@link #releaseTokens} must follow. */
  synchronized AccessTokens useTokens(
      ClientCredentials client, Optional<AllowedServers> allowed, Duration connecting)
      throws PrometheusException {
    var setting = new TokenSetting(client, allowed, connecting);
    var shared = tokens.get(setting);
    if (shared == null) {
      shared =
          new Shared<>(
              new AccessTokens(
                  client, allowed, use(client.tls(), connecting), AccessTokens.DENIAL_STANDS));
      tokens.put(setting, shared);
    }
    shared.users++;
    return shared.value;
  }

  synchronized void releaseTokens(
      ClientCredentials client, Optional<AllowedServers> allowed, Duration connecting) {
    var setting = new TokenSetting(client, allowed, connecting);
    if (--Objects.requireNonNull(tokens.get(setting), "they were used").users == 0) {
      tokens.remove(setting);
      release(client.tls(), connecting);
    }
  }

  synchronized int size() {
    return clients.size();
  }
}
