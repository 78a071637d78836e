package io.prescale.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The lab tests check that every query returns data. */
class DashboardsTest {

  @Test
  void everyPanelIsExplainedAndHasAUnit() throws IOException {
    var identifiers = new HashSet<String>();
    for (String file : Dashboards.files()) {
      var dashboard = ChartFiles.json(file);
      assertThat(identifiers.add(dashboard.get("uid").asText())).as(file).isTrue();
      assertThat(dashboard.get("panels"))
          .allSatisfy(
              panel -> {
                assertThat(panel.get("description").asText()).isNotBlank();
                assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
                assertThat(panel.get("targets")).isNotEmpty();
              });
      assertThat(variables(dashboard)).as(file).contains("datasource");
    }
    assertThat(identifiers).hasSize(4);
  }

  @Test
  void queriesAskOnlyForMetricsThatAreExported() throws IOException {
    assertThat(Dashboards.queries())
        .hasSizeGreaterThan(25)
        .allSatisfy(
            query ->
                assertThat(ExportedMetrics.unknownIn(query.expression()))
                    .as(query.toString())
                    .isEmpty());
  }

  @Test
  void whatIsDoneWithQueuesAndBookingsIsShown() throws IOException {
    var all = Dashboards.queries().toString();

    assertThat(all)
        .contains(
            "prescale_gpuqueue_",
            "prescale_reclaim_",
            "prescale_moves_",
            "prescale_booking_",
            "prescale_plan_",
            "prescale_warm_",
            "prescale_buffer_");
  }

  @Test
  void variablesAreReplacedAsGrafanaDoes() {
    var query =
        new Dashboards.PanelQuery(
            "d", "p", "rate(a{namespace=\"$namespace\",name=\"$name\"}[$__rate_interval])");

    for (var variables :
        List.of(
            new TreeMap<>(Map.of("name", "chat", "namespace", "team")),
            new TreeMap<>(Map.of("name", "chat", "namespace", "team")).descendingMap())) {
      assertThat(query.with(variables)).isEqualTo("rate(a{namespace=\"team\",name=\"chat\"}[30s])");
    }
  }

  private static List<String> variables(JsonNode dashboard) {
    return StreamSupport.stream(dashboard.at("/templating/list").spliterator(), false)
        .map(variable -> variable.get("name").asText())
        .toList();
  }
}
