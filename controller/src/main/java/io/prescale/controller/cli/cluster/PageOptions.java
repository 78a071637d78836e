package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.ClusterException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.web.About;
import io.prescale.controller.web.ActionsView;
import io.prescale.controller.web.Gatekeeper;
import io.prescale.controller.web.GpusView;
import io.prescale.controller.web.ReplaysView;
import io.prescale.controller.web.WebServer;
import io.prescale.controller.web.WebViews;
import io.prescale.controller.web.live.ClusterWorkloads;
import io.prescale.controller.web.live.ExtenderCards;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--gpu-url",
      paramLabel = "URL",
      description =
          "The metrics port of a prescale extender, such as http://prescale-scheduler-metrics:8080,"
              + " whose cards the page shows (default: it shows none).")
  @Nullable URI gpuUrl;

  void requireSense() {
    if (port != 0) {
      AdapterOptions.requirePort("--page-port", port);
    }
    if (gpuUrl != null && port == 0) {
      throw new UsageException("--gpu-url needs --page-port.");
    }
  }

  /** Whoever knows the cards. */
  Optional<ExtenderCards> cards() {
    var url = gpuUrl;
    return url == null
        ? Optional.empty()
        : Optional.of(UsageException.unlessValid(() -> new ExtenderCards(url)));
  }

  /** Begins to serve. */
  WebServer start(
      InstantSource clock,
      Gatekeeper readers,
      ClusterWorkloads workloads,
      Optional<? extends GpusView> gpus,
      ReplaysView replays)
      throws ClusterException {
    try {
      var server = WebServer.bind(port);
      server.serve(
          new WebViews(
              () -> new About("Prescale", false, clock.instant(), REAL_TIME, Optional.empty()),
              workloads,
              gpus.map(view -> view),
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
