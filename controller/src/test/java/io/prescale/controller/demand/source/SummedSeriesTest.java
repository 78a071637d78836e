package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.demand.preset.PresetScope;
import io.prescale.controller.demand.preset.Presets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SummedSeriesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          sum(load) | load
          SUM ( rate(hits{code!~"5.."}[2m]) ) | rate(hits{code!~"5.."}[2m])
          sum by (app, job) (load{app="chat"}) | load{app="chat"}
          sum without(pod)(load) | load
          sum(load) by (app) | load
          sum(max by (pod) (load)) | max by (pod) (load)
          sum(load{a=")",b='(',c=`"\\`,d="\\")"}) | load{a=")",b='(',c=`"\\`,d="\\")"}
          sum({"http.load", a="#"}) | {"http.load", a="#"}
          sum(rate(load[5m])) * 60 | rate(load[5m])
          60 * sum(load) / 1.5e3 | load
          sum(load) or vector(0) | load
          sum(load)or on() vector(0) | load
          sum(a) * sum(b) / clamp_min(sum(c),1) | a
          1 / sum(a) * sum(b) | b
          sum(max_over_time(load[1h:1m] offset 5m) @ 1767225600) | max_over_time(load[1h:1m] offset 5m) @ 1767225600
          """)
  void findsWhatIsAddedUp(String promql, String argument) {
    assertThat(SummedSeries.of(promql)).hasValue(argument);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "load",
        "avg(load)",
        "max(load)",
        "count(load)",
        "summary(load)",
        "sum",
        "sum()",
        "sum(load",
        "sum(load))",
        "sum((load]",
        "sum(load{a=\"b)",
        "sum(load{a=\"b\\",
        "sum(load > 0)",
        "sum(load == bool 1)",
        "sum(a) + sum(b)",
        "sum(a) - 5",
        "sum(a) or b",
        "sum(a) or vector(1)",
        "sum(a) * on(x) group_left() sum(b)",
        "sum(a) / ON (x) sum(b)",
        "sum(a) % 7",
        "1 / sum(a)",
        "sum(load # all of it)\n)",
        "# sum(load)",
        "sum(load) # all",
        "sum(load)[5m:1m]",
        "sum{a=\"b\"}",
        "sum by (a)",
        "sum by (a) (load) by (b) * ",
        "-sum(load)",
        "\0sum(load)"
      })
  void refusesWhatItDoesNotUnderstand(String promql) {
    assertThat(SummedSeries.of(promql)).isEmpty();
  }

  @Test
  void aQueryThatIsMeantToBeSlowIsRefusedAtOnce() {
    assertThat(SummedSeries.of("sum(" + "(".repeat(1_000_000))).isEmpty();
    assertThat(SummedSeries.of("1*".repeat(500_000) + "x")).isEmpty();
    assertThat(SummedSeries.of("sum" + " ".repeat(1_000_000) + "x")).isEmpty();
    assertThat(SummedSeries.of("sum by (" + "a,".repeat(500_000) + "!")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "VLLM, Requests, num_requests_(running|waiting)",
    "VLLM, Tokens, generation_tokens_total",
    "TGI, Requests, tgi_",
    "SGLANG, Requests, max by",
    "NIM, Requests, num_requests_",
    "DCGM, Requests, DCGM_FI_PROF_GR_ENGINE_ACTIVE"
  })
  void knowsThePresets(PresetName name, PresetSignal signal, String part) {
    var scope = new PresetScope(Optional.of("chat"), Optional.of("team"));
    var promql = Presets.query(name, signal).demand().promql(scope);

    assertThat(SummedSeries.of(promql).orElseThrow()).contains(part);
  }

  @Test
  void tritonsRequestsAreNoOneSum() {
    var scope = new PresetScope(Optional.of("chat"), Optional.of("team"));
    var query = Presets.query(PresetName.TRITON, PresetSignal.Requests);

    assertThat(SummedSeries.of(query.demand().promql(scope))).isEmpty();
  }
}
