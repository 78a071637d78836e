package io.prescale.controller.scheduler.extender;

import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.adapter.server.TlsSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The server of an extender: its listeners, and HTTP as kube-scheduler speaks it. */
public final class ExtenderHttp {
  private static final String EVERY_ADDRESS = "0.0.0.0";

  private ExtenderHttp() {}

  /**
   * Starts a context with the endpoints of an extender.
   *
   * @param beans without the settings
   * @throws ListenerException if a port is taken
   */
  public static ListeningContext start(
      String program, ExtenderSettings settings, List<Object> beans) throws IOException {
    var all = new ArrayList<>(beans);
    all.add(settings);
    settings
        .tls()
        .map(
            context ->
                new TlsSettings(
                    context,
                    settings.needsClientCertificate()
                        ? TlsSettings.Clients.NEED_CERTIFICATE
                        : TlsSettings.Clients.NOT_ASKED))
        .ifPresent(all::add);
    return ListeningContext.start(program, listeners(settings), PROPERTIES, all.toArray());
  }

  /**
   * Answers are small, and requests are read as streams. Each binding that waits for its turn has a
   * connection; one whose connection were closed would be bound after kube-scheduler has forgotten
   * it.
   */
  private static final Map<String, Object> PROPERTIES =
      Map.of(
          "micronaut.server.http-version",
          "1.1",
          "micronaut.server.max-request-size",
          "256MB",
          "prescale.connections.at-most",
          1024,
          "micronaut.server.netty.compression-threshold",
          -1);

  private static List<Listener> listeners(ExtenderSettings settings) {
    var listeners = new ArrayList<Listener>();
    listeners.add(
        new Listener(
            ExtenderController.LISTENER,
            settings.host(),
            settings.port(),
            settings.tls().isPresent()));
    settings
        .metricsPort()
        .ifPresent(
            port -> listeners.add(Listener.plain(StatusPages.OPEN_LISTENER, EVERY_ADDRESS, port)));
    return Collections.unmodifiableList(listeners);
  }
}
