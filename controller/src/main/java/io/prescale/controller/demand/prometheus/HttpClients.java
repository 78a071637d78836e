package io.prescale.controller.demand.prometheus;

import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The connections and threads of {@link PrometheusClient}s: one HTTP client for each TLS setting,
 * however many servers are asked, closed when the last that uses it is. Thread-safe.
 */
public final class HttpClients {
  private final Map<Setting, Shared> clients = new HashMap<>();

  private record Setting(TlsOptions tls, Duration connecting) {}

  private static final class Shared {
    private final HttpClient client;
    private int users;

    private Shared(HttpClient client) {
      this.client = client;
    }
  }

  /** The client for a setting; {@link #release} must follow. */
  synchronized HttpClient use(TlsOptions tls, Duration connecting) throws PrometheusException {
    var setting = new Setting(tls, connecting);
    var shared = clients.get(setting);
    if (shared == null) {
      shared = new Shared(client(setting));
      clients.put(setting, shared);
    }
    shared.users++;
    return shared.client;
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
      shared.client.shutdownNow();
    }
  }

  synchronized int size() {
    return clients.size();
  }
}
