package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.ServerOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.scheduler.extender.Exporters;
import io.prescale.placement.inventory.SeriesMatchers;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which Prometheus server has the series of the cards' exporters, and which series these are. */
@Needs("--prometheus")
final class ExporterOptions extends ServerOptions {
  @Option(
      names = "--exporters-selector",
      paramLabel = "MATCHER,...",
      description =
          "Label matchers of the exporters' series, such as%nnamespace=\"gpu-operator\"; give them"
              + " where Prometheus also scrapes pods of tenants, whose series are believed"
              + " otherwise (default: series count by their names).")
  String selector = "";

  Optional<Exporters> exporters(Map<String, String> environment) {
    if (url == null) {
      return Optional.empty();
    }
    var matchers =
        UsageException.unlessValid("--exporters-selector", () -> new SeriesMatchers(selector));
    var server = server(url, environment);
    try {
      return Optional.of(new Exporters(new PrometheusClient(server, patience()), matchers));
    } catch (PrometheusException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
