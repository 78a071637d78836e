package io.prescale.controller.demand.prometheus;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Hosts, and perhaps a port.
 *
 * @param host in lower case; {@code *} for all, {@code *.svc} for all whose names end so
 * @param port 0 for any
 */
record HostPattern(String host, int port) {
  private static final Pattern TEXT =
      Pattern.compile(
          "(\\*|(?:\\*\\.)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?");
  private static final Pattern ADDRESS = Pattern.compile("localhost|[0-9.]+|\\[.*]");
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /**
   * Reads {@code HOST}, {@code HOST:PORT}, {@code *.SUFFIX}, {@code *.SUFFIX:PORT} or {@code *}.
   */
  static HostPattern of(String text) {
    var parts = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    int port = parts.matches() && parts.group(2) != null ? Integer.parseInt(parts.group(2)) : 0;
    if (!parts.matches() || port > PrometheusServer.HIGHEST_PORT) {
      throw new IllegalArgumentException(
          "%s names no servers; write a host, host:port, *.suffix such as *.monitoring.svc, or * for all"
              .formatted(text));
    }
    return new HostPattern(parts.group(1), port);
  }

  static HostPattern of(URI server) {
    return new HostPattern(host(server), port(server));
  }

  boolean matches(URI server) {
    return (port == 0 || port == port(server))
        && (host.equals("*")
            || (host.startsWith("*.")
                ? host(server).endsWith(host.substring(1))
                : host(server).equals(host)));
  }

  /** Whether it is one address, so that no name leads elsewhere. */
  boolean isAddress() {
    return ADDRESS.matcher(host).matches();
  }

  /** In lower case, without the dot that ends an absolute name. */
  static String host(URI server) {
    var host = server.getHost().toLowerCase(Locale.ROOT);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static int port(URI server) {
    if (server.getPort() >= 0) {
      return server.getPort();
    }
    return server.getScheme().equalsIgnoreCase("https") ? HTTPS : HTTP;
  }
}
