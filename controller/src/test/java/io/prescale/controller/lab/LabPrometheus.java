package io.prescale.controller.lab;

import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.lab.Lab.Verb;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;

/**
 * The laboratory's Prometheus 3 with a history. It is started without anything to read, stopped,
 * given the history, and started again to go on reading where that ends.
 *
 * @param config to be given to the laboratory
 */
record LabPrometheus(Path config) {
  private static final String PROMETHEUS = "prometheus";

  /** Writes a configuration for the start of the laboratory. */
  static LabPrometheus in(Path folder) throws IOException {
    return new LabPrometheus(
        Files.writeString(folder.resolve("lab-prometheus.yml"), "scrape_configs: []\n"));
  }

  /** Fills it up to now and lets it read the exporter; returns where it serves. */
  URI fill(Lab lab, LoadExporter exporter, Load load, Instant from, Instant now)
      throws IOException, InterruptedException {
    lab.command(PROMETHEUS, Verb.STOP);
    var data = lab.describe().folder().resolve(PROMETHEUS);
    RealPrometheus.backfill(data, LoadExporter.history(load, from, now));
    Files.writeString(config, exporter.prometheusConfig());
    lab.command(PROMETHEUS, Verb.START);
    return Objects.requireNonNull(lab.describe().prometheus(), PROMETHEUS);
  }
}
