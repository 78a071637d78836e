package io.prescale.controller.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The chart's files. */
public final class ChartFiles {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();

  private ChartFiles() {}

  /** The folder of the chart. */
  public static Path folder() {
    return Checkout.root().resolve("charts/prescale");
  }

  static JsonNode json(String file) {
    try {
      return JSON.readTree(folder().resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode yaml(String file) {
    try {
      return YAML.readTree(folder().resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
