package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.Listener;
import io.prescale.controller.cli.options.PriceOptions;
import io.prescale.controller.cli.options.UsageException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The page in a cluster, if it is served. */
final class PageOptions {
  @Option(
      names = "--page-port",
      paramLabel = "N",
      description =
          "Port of the page, on loopback alone, 0 for none (default: ${DEFAULT-VALUE}). It is"
              + " reached by kubectl port-forward, and asks for the bearer token of a user who may"
              + " list PredictiveHPAs.")
  int port;

  @Option(
      names = "--gpu-url",
      paramLabel = "URL",
      description =
          "The metrics port of a prescale extender, such as http://prescale-scheduler-metrics:8080,"
              + " whose cards the page shows (default: it shows none).")
  @Nullable URI gpuUrl;

  @ArgGroup(validate = false, multiplicity = "1")
  PriceOptions price = new PriceOptions();

  void requireSense() {
    price.requireSense();
    UsageException.requireWithin("--page-port", port, 0, Listener.HIGHEST_PORT);
    if (gpuUrl != null && port == 0) {
      throw new UsageException("--gpu-url needs --page-port.");
    }
  }
}
