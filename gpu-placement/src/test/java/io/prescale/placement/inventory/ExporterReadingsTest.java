package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.inventory.ExporterReadings.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExporterReadingsTest {
  private final List<Series> series = new ArrayList<>();

  @Test
  void readsEverythingThatPlacementLooksAt() {
    add("DEV_GPU_TEMP", 83);
    add("DEV_POWER_USAGE", 598.412);
    add("DEV_POWER_MGMT_LIMIT", 700);
    add("DEV_ECC_SBE_VOL_TOTAL", 7);
    add("DEV_ECC_DBE_VOL_TOTAL", 1);
    add("DEV_CLOCKS_EVENT_REASONS", 0x40);
    add("DEV_GPU_UTIL", 99);

    var reading = reading();

    assertThat(reading.health().temperatureCelsius()).hasValue(83);
    assertThat(reading.health().powerWatts()).hasValue(598);
    assertThat(reading.health().powerLimitWatts()).hasValue(700);
    assertThat(reading.health().correctedEcc()).isEqualTo(7);
    assertThat(reading.health().uncorrectedEcc()).isEqualTo(1);
    assertThat(reading.health().throttled()).isTrue();
    assertThat(reading.health().state()).isEqualTo(State.USABLE);
    assertThat(reading.utilisationPercent()).hasValue(99);
  }

  @ParameterizedTest
  @CsvSource({
    "0,USABLE",
    "13,USABLE",
    "31,USABLE",
    "43,USABLE",
    "45,USABLE",
    "68,USABLE",
    "109,USABLE",
    "48,UNHEALTHY",
    "79,UNHEALTHY",
    "95,UNHEALTHY",
    "2147483632,USABLE",
    "-1,USABLE",
  })
  void anXidMakesACardSickUnlessApplicationsCauseIt(double xid, State state) {
    add("DEV_XID_ERRORS", xid);

    assertThat(reading().health().state()).isEqualTo(state);
  }

  @Test
  void asksTheSameInEveryProcess() {
    assertThat(ExporterReadings.query(SeriesMatchers.NONE))
        .endsWith("({__name__=~\"gpu_health|npu_chip_info_health_status\"})");
  }

  @Test
  void everySelectorHasTheMatchersOfTheExporters() {
    var query = ExporterReadings.query(new SeriesMatchers("job=\"100% gpu\""));

    assertThat(query.split("__name__=~\"[^\"]+\",job=\"100% gpu\"}", -1)).hasSize(3);
    assertThat(query.split("__name__=~", -1)).hasSize(3);
  }

  @Test
  void rowsThatCouldNotBeRemappedMakeACardSick() {
    add("DEV_ROW_REMAP_FAILURE", 1);

    assertThat(reading().isSick()).isTrue();
    assertThat(reading().complaint()).hasValue("rows of its memory could not be remapped");
  }

  @Test
  void amdsExporterIsRead() {
    var labels = Map.of("gpu_uuid", "51ff74a1-0000-1000-802e-2769a3f6a69e");
    for (double health : new double[] {1, 0}) { // of two partitions
      series.add(named("gpu_health", labels, health));
    }
    series.add(named("gpu_junction_temperature", labels, 71));
    series.add(named("gpu_package_power", labels, 612));
    series.add(named("gpu_ecc_uncorrect_total", labels, 2));
    series.add(named("gpu_gfx_activity", labels, 88));
    series.add(named("gpu_health", Map.of("gpu_id", "0"), 0));

    var readings = ExporterReadings.read(series, Map.of());

    assertThat(readings).hasSize(1);
    var reading = Objects.requireNonNull(readings.get("51ff74a1-0000-1000-802e-2769a3f6a69e"));
    assertThat(reading.complaint()).hasValue("AMD's exporter reports that it is unhealthy");
    assertThat(reading.health().temperatureCelsius()).hasValue(71);
    assertThat(reading.health().powerWatts()).hasValue(612);
    assertThat(reading.health().uncorrectedEcc()).isEqualTo(2);
    assertThat(reading.utilisationPercent()).hasValue(88);
  }

  @Test
  void withoutWordOfItsConditionASickCardStaysSick() {
    var labels = Map.of("gpu_uuid", "a");
    series.add(named("gpu_health", labels, 0));
    var sick = ExporterReadings.read(series, Map.of());
    series.clear();
    series.add(named("gpu_gfx_activity", labels, 7));

    var silent = Objects.requireNonNull(ExporterReadings.read(series, sick).get("a"));

    assertThat(silent.isSick()).isTrue();
    assertThat(silent.utilisationPercent()).hasValue(7);
    series.add(named("gpu_health", labels, 1));
    assertThat(Objects.requireNonNull(ExporterReadings.read(series, sick).get("a")).isSick())
        .isFalse();
  }

  @Test
  void ascendsExporterIsRead() {
    var labels = Map.of("id", "3", "vdie_id", "AE2E0D26-20C03B45");
    series.add(named("npu_chip_info_health_status", labels, 0));
    series.add(named("npu_chip_info_error_code", labels, 0x80E01801L));
    series.add(named("npu_chip_info_temperature", labels, 55));
    series.add(named("npu_chip_info_power", labels, 93.4));
    series.add(named("npu_chip_info_utilization", labels, -1));

    var reading =
        Objects.requireNonNull(ExporterReadings.read(series, Map.of()).get("AE2E0D26-20C03B45"));

    assertThat(reading.complaint())
        .hasValue("Ascend's exporter reports that it is unhealthy, with the error code 80E01801");
    assertThat(reading.health().temperatureCelsius()).hasValue(55);
    assertThat(reading.health().powerWatts()).hasValue(93);
    assertThat(reading.utilisationPercent()).isEmpty();
  }

  @Test
  void aSickCardRecoversByWordsAndNotBySilence() {
    add("DEV_XID_ERRORS", 79);
    add("DEV_GPU_UTIL", 50);
    var sick = ExporterReadings.read(series, Map.of());

    var silent = ExporterReadings.read(List.of(), sick);

    var still = Objects.requireNonNull(silent.get("GPU-1"));
    assertThat(still.isSick()).isTrue();
    assertThat(still.complaint()).hasValue("its last XID error is 79");
    assertThat(still.utilisationPercent()).isEmpty();
    series.clear();
    add("DEV_XID_ERRORS", 0);
    var well = ExporterReadings.read(series, silent);
    assertThat(Objects.requireNonNull(well.get("GPU-1")).isSick()).isFalse();
    assertThat(ExporterReadings.read(List.of(), well))
        .as("of a well card nothing is kept")
        .isEmpty();
  }

  @Test
  void theEnginesActivityOfTheCardSaysMoreThanThatSomeKernelRan() {
    add("DEV_GPU_UTIL", 100);
    add("PROF_GR_ENGINE_ACTIVE", 0.375);
    series.add(named("DCGM_FI_PROF_GR_ENGINE_ACTIVE", Map.of("UUID", "GPU-1", "GPU_I_ID", "2"), 1));

    assertThat(reading().utilisationPercent()).hasValue(38);
  }

  @Test
  void ofSeveralSeriesOfACardTheGreatestCounts() {
    for (double value : new double[] {40, Double.NaN, 61, 50}) {
      add("DEV_GPU_TEMP", value);
    }

    assertThat(reading().health().temperatureCelsius()).hasValue(61);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        -1,
        1e300,
        2147483632.0
      })
  void aValueThatCannotBeIsNotKnown(double value) {
    for (var field :
        List.of("DEV_GPU_TEMP", "DEV_POWER_USAGE", "DEV_GPU_UTIL", "DEV_ECC_DBE_VOL_TOTAL")) {
      add(field, value);
    }
    add("DEV_ROW_REMAP_FAILURE", 0);

    var reading = reading();

    assertThat(reading.health().temperatureCelsius()).isEmpty();
    assertThat(reading.health().powerWatts()).isEmpty();
    assertThat(reading.utilisationPercent()).isEqualTo(OptionalInt.empty());
    assertThat(reading.health().state()).isEqualTo(State.USABLE);
  }

  @Test
  void seriesOfNoCardAndOfNoFieldAreIgnored() {
    series.add(named("DCGM_FI_DEV_XID_ERRORS", Map.of(), 79));
    series.add(named("DCGM_FI_DEV_XID_ERRORS", Map.of("UUID", ""), 79));
    series.add(named("", Map.of("UUID", "GPU-1"), 79));
    series.add(named("XID_ERRORS", Map.of("UUID", "GPU-1"), 79));

    assertThat(ExporterReadings.read(series, Map.of())).isEmpty();
  }

  @Test
  void aDegreeMoreOrLessIsTheSameCondition() {
    assertThat(condition(30, 100)).isEqualTo(condition(79, 300));
    assertThat(condition(80, 100)).isEqualTo(condition(84, 100)).isNotEqualTo(condition(85, 100));
    assertThat(condition(30, 630)).isNotEqualTo(condition(30, 629));
  }

  private Object condition(int celsius, int watts) {
    series.clear();
    add("DEV_GPU_TEMP", celsius);
    add("DEV_POWER_USAGE", watts);
    add("DEV_POWER_MGMT_LIMIT", 700);
    return reading().coarse();
  }

  private CardReading reading() {
    return Objects.requireNonNull(ExporterReadings.read(series, Map.of()).get("GPU-1"));
  }

  private void add(String field, double value) {
    series.add(named("DCGM_FI_" + field, Map.of("UUID", "GPU-1"), value));
  }

  private static Series named(String name, Map<String, String> labels, double value) {
    var all = new HashMap<>(labels);
    all.put("__name__", name);
    return new Series(all, value);
  }
}
