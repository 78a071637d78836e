package io.prescale.controller.chart;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import java.util.ArrayList;
import java.util.List;

/** Generates {@code values.yaml} and the chart's README from {@code values.schema.json}. */
public final class ChartValues {
  private static final int WIDTH = 100;

  private ChartValues() {}

  /**
   * One value.
   *
   * @param path with dots
   * @param depth nesting depth; 0 at the top
   */
  private record Value(String path, String name, int depth, JsonNode schema) {
    boolean isGroup() {
      return schema.has("properties");
    }

    String description() {
      return schema.path("description").asText();
    }

    String defaultJson() {
      return schema.path("default").toString();
    }
  }

  /** {@code values.yaml}. */
  public static String yaml() {
    var text = new StringBuilder("# Generated from values.schema.json; renew with\n");
    text.append("# ").append(GeneratedCrd.RENEWAL).append('\n');
    for (Value value : values()) {
      var indent = "  ".repeat(value.depth());
      if (value.depth() == 0) {
        text.append('\n');
      }
      for (String line : wrapped(value.description(), WIDTH - indent.length())) {
        text.append(indent).append("# ").append(line).append('\n');
      }
      text.append(indent).append(value.name()).append(':');
      text.append(value.isGroup() ? "" : " " + value.defaultJson()).append('\n');
    }
    return text.toString();
  }

  /** The chart's README. */
  public static String markdown() {
    var chart = ChartFiles.yaml("Chart.yaml");
    var text = new StringBuilder();
    text.append(
        """
        # prescale

        <!-- Generated from values.schema.json; renew with
        %s -->

        %s Version %s, of Prescale %s; Kubernetes %s, Helm 3 and 4.

        ```sh
        helm install prescale charts/prescale --namespace prescale --create-namespace \\
            --set image.repository=REGISTRY/prescale --set prometheus.url=http://prometheus.monitoring:9090
        ```

        [docs/install.md](../../docs/install.md) leads from a checkout to a forecast, and covers upgrades and
        removal.

        ## Values

        | Value | Default | |
        |---|---|---|
        """
            .formatted(
                GeneratedCrd.RENEWAL,
                chart.get("description").asText(),
                chart.get("version").asText(),
                chart.get("appVersion").asText(),
                chart.get("kubeVersion").asText()));
    for (Value value : values()) {
      if (!value.isGroup()) {
        text.append(
            "| `%s` | `%s` | %s |%n"
                .formatted(value.path(), value.defaultJson(), description(value)));
      }
    }
    return text.toString();
  }

  private static String description(Value value) {
    var choices = new ArrayList<String>();
    value.schema().path("enum").forEach(choice -> choices.add("`" + choice.asText() + "`"));
    return choices.isEmpty()
        ? value.description()
        : value.description() + " *" + String.join(" or ", choices) + "*";
  }

  /** The values in the order of the schema, groups before their members. */
  private static List<Value> values() {
    var values = new ArrayList<Value>();
    collect("", 0, ChartFiles.json("values.schema.json"), values);
    return values;
  }

  private static void collect(String prefix, int depth, JsonNode group, List<Value> values) {
    for (var property : group.get("properties").properties()) {
      var value =
          new Value(prefix + property.getKey(), property.getKey(), depth, property.getValue());
      if (value.description().isBlank()) {
        throw new IllegalStateException(
            "values.schema.json does not describe %s; add its description".formatted(value.path()));
      }
      if (value.isGroup()) {
        values.add(value);
        collect(value.path() + ".", depth + 1, value.schema(), values);
      } else if (value.schema().has("default")) {
        values.add(value);
      }
    }
  }

  private static List<String> wrapped(String text, int width) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + word.length() + 3 > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines.stream().map(String::strip).toList();
  }
}
