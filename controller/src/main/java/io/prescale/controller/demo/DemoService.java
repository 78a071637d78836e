package io.prescale.controller.demo;

import io.prescale.adapter.server.ApiFilter;
import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.web.PageController;
import io.prescale.controller.web.PageFiles;
import io.prescale.controller.web.live.HistoryReplays;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The demo on ports of this machine: the page, the Prometheus that the controller reads, and the
 * external metrics API.
 */
public final class DemoService implements AutoCloseable {
  /** The environment of {@link DemoBeans}. */
  static final String NAME = "demo";

  private static final String LOOPBACK = "127.0.0.1";

  private final ListeningContext context;

  private DemoService(ListeningContext context) {
    this.context = context;
  }

  /**
   * How the demo is shown.
   *
   * @param pagePort known before it is bound, because the page's server is the Prometheus too
   * @param speed of the clock
   * @param today for the certificate
   * @param cardHourPrice if it is to be shown
   */
  record Appearance(int pagePort, double speed, Instant today, OptionalDouble cardHourPrice) {
    URI prometheus() {
      return URI.create("http://%s:%d/prometheus".formatted(LOOPBACK, pagePort));
    }
  }

  /**
   * Begins to answer; time stands still until it is stepped.
   *
   * @param pagePort 0 takes a free one
   * @param metricsPort of the external metrics API; 0 takes a free one
   * @param speed of the clock, for the page
   * @param today for the certificate
   * @param price of an hour of a card, if it is to be shown
   * @throws ListenerException if a port is taken; then nothing is left open
   */
  public static DemoService start(
      DemoSettings settings,
      int pagePort,
      int metricsPort,
      double speed,
      Instant today,
      OptionalDouble price)
      throws IOException {
    var appearance = new Appearance(pagePort == 0 ? freePort() : pagePort, speed, today, price);
    var service =
        new DemoService(
            ListeningContext.start(
                NAME,
                List.of(
                    new Listener(ApiFilter.LISTENER, LOOPBACK, metricsPort, true),
                    Listener.plain(PageController.LISTENER, LOOPBACK, appearance.pagePort())),
                PageFiles.properties(),
                settings,
                appearance));
    try {
      service.warmUp();
      service.context.bean(HistoryReplays.class).keepUp();
      return service;
    } catch (IOException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  /** The first requests load what answers them; later, fits would compete for the processors. */
  private void warmUp() throws IOException {
    for (var path : List.of("", "page.css", "script/main.js", "api/v1/overview")) {
      try (var page = URI.create(pageUrl() + path).toURL().openStream()) {
        page.readAllBytes();
      }
    }
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  public Demo demo() {
    return context.bean(Demo.class);
  }

  public String pageUrl() {
    return "http://%s:%d/".formatted(LOOPBACK, context.port(PageController.LISTENER));
  }

  /** Where the values of all workloads are. */
  public String metricsUrl() {
    return "https://%s:%d/apis/external.metrics.k8s.io/v1beta1/namespaces/%s/"
        .formatted(LOOPBACK, context.port(ApiFilter.LISTENER), Workload.NAMESPACE);
  }

  public String prometheusUrl() {
    return context.bean(Appearance.class).prometheus().toString();
  }

  @Override
  public void close() {
    context.close();
  }
}
