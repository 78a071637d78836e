package io.prescale.controller.cli;

import io.prescale.controller.page.ClusterWorkloads;
import io.prescale.controller.web.About;
import io.prescale.controller.web.ActionsView;
import io.prescale.controller.web.Gatekeeper;
import io.prescale.controller.web.ReplaysView;
import io.prescale.controller.web.WebServer;
import io.prescale.controller.web.WebViews;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The page in a cluster, if it is served. */
final class PageOptions {
  private static final double REAL_TIME = 1;

  @Option(
      names = "--page-port",
      paramLabel = "N",
      description =
          "Port of the page, on loopback alone, 0 for none (default: ${DEFAULT-VALUE}). It is"
              + " reached by kubectl port-forward, and asks for a bearer token of somebody who may"
              + " list PredictiveHPAs.",
      defaultValue = "0")
  int port;

  void requireSense() {
    if (port != 0) {
      AdapterOptions.requirePort("--page-port", port);
    }
  }

  /** Begins to serve. */
  WebServer start(
      InstantSource clock, Gatekeeper readers, ClusterWorkloads workloads, ReplaysView replays)
      throws ClusterException {
    try {
      var server = WebServer.bind(port);
      server.serve(
          new WebViews(
              () -> new About("Prescale", false, clock.instant(), REAL_TIME, Optional.empty()),
              workloads,
              Optional.empty(),
              replays,
              ActionsView.none()),
          readers);
      return server;
    } catch (IOException e) {
      throw new ClusterException(
          "The page cannot be on port %d (%s); choose another with --page-port."
              .formatted(port, e.getMessage()),
          e);
    }
  }
}
