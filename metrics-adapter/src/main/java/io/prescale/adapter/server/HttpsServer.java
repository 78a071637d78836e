package io.prescale.adapter.server;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.prescale.adapter.api.ExternalMetricsApi;
import java.util.HashMap;

/** The API on a port. */
public final class HttpsServer implements AutoCloseable {
  private static final int HEADER_BYTES = 128 * 1024;
  private static final int REQUEST_LINE_BYTES = 64 * 1024;

  private final ApplicationContext context;
  private final EmbeddedServer server;

  private HttpsServer(ApplicationContext context, EmbeddedServer server) {
    this.context = context;
    this.server = server;
  }

  /** Listens until it is closed. */
  public static HttpsServer start(ExternalMetricsApi api, HttpsSettings settings) {
    var properties = new HashMap<String, Object>();
    properties.put("micronaut.application.name", "prescale-adapter");
    properties.put("micronaut.server.host", settings.host());
    properties.put("micronaut.server.ssl.enabled", true);
    properties.put("micronaut.server.ssl.port", settings.port() == 0 ? -1 : settings.port());
    properties.put("micronaut.server.http-version", "2.0");
    properties.put("micronaut.server.netty.max-initial-line-length", REQUEST_LINE_BYTES);
    properties.put("micronaut.server.netty.max-header-size", HEADER_BYTES);
    properties.put("micronaut.server.max-request-size", "1MB");
    properties.put("micronaut.server.idle-timeout", "5m");
    properties.put("micronaut.server.log-handled-exceptions", false);
    var context =
        ApplicationContext.builder()
            .properties(properties)
            .singletons(api, settings)
            .banner(false)
            .deduceEnvironment(false)
            .build()
            .start();
    try {
      return new HttpsServer(context, context.getBean(EmbeddedServer.class).start());
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    context.close();
  }
}
