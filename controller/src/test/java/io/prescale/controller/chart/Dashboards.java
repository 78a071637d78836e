package io.prescale.controller.chart;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/** The queries of the chart's dashboards. */
public final class Dashboards {
  private Dashboards() {}

  /**
   * One query of a panel.
   *
   * @param dashboard the file
   * @param expression with Grafana's variables in it
   */
  public record PanelQuery(String dashboard, String panel, String expression) {
    /** The query as Grafana sends it, with these variables and its own. */
    public String with(Map<String, String> variables) {
      var asked =
          expression
              .replace("$__rate_interval", "30s")
              .replace("$__range_s", "60")
              .replace("$__range", "60s");
      for (var variable : variables.entrySet()) {
        // Matches whole names only: $name must not match in $namespace.
        asked =
            asked.replaceAll(
                "\\$" + variable.getKey() + "\\b", Matcher.quoteReplacement(variable.getValue()));
      }
      return asked;
    }
  }

  /** The files, sorted by name. */
  static List<String> files() throws IOException {
    try (var files = Files.list(ChartFiles.folder().resolve("dashboards"))) {
      return files.map(file -> "dashboards/" + file.getFileName()).sorted().toList();
    }
  }

  /** Every query of every panel. */
  public static List<PanelQuery> queries() throws IOException {
    var queries = new ArrayList<PanelQuery>();
    for (String file : files()) {
      for (JsonNode panel : ChartFiles.json(file).get("panels")) {
        for (JsonNode target : panel.get("targets")) {
          queries.add(
              new PanelQuery(file, panel.get("title").asText(), target.get("expr").asText()));
        }
      }
    }
    return queries;
  }
}
