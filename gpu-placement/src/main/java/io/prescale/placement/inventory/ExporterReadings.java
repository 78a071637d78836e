package io.prescale.placement.inventory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Reads what the vendors' exporters report of cards: NVIDIA's dcgm-exporter, AMD's
 * device-metrics-exporter and Ascend's npu-exporter. Of several series of a card, which an exporter
 * gives for each pod or instance, the greatest counts; of flags that say that it is well, the
 * least.
 */
public final class ExporterReadings {
  private static final List<Exporter> EXPORTERS =
      List.of(
          new Exporter(DcgmFields.PREFIX, "UUID", DcgmFields::reading),
          new Exporter(AmdFields.PREFIX, "gpu_uuid", AmdFields::reading),
          new Exporter(AscendFields.PREFIX, "vdie_id", AscendFields::reading));

  private static final String HEALTH =
      "%s%s|%s%s"
          .formatted(AmdFields.PREFIX, AmdFields.HEALTH, AscendFields.PREFIX, AscendFields.HEALTH);

  /** The value of every field that is read, for each card and MIG instance. */
  public static final String QUERY =
      "max by (%1$s) ({__name__=~\"%2$s\"}) or min by (%1$s) ({__name__=~\"%3$s\"})"
          .formatted(
              "__name__, UUID, GPU_I_ID, gpu_uuid, vdie_id",
              "%s(%s)|%s(%s)|%s(%s)"
                  .formatted(
                      DcgmFields.PREFIX,
                      DcgmFields.FIELDS,
                      AmdFields.PREFIX,
                      AmdFields.FIELDS,
                      AscendFields.PREFIX,
                      AscendFields.FIELDS),
              HEALTH);

  private ExporterReadings() {}

  /**
   * One series.
   *
   * @param labels with {@code __name__}
   */
  public record Series(Map<String, String> labels, double value) {
    public Series {
      labels = Map.copyOf(labels);
    }

    String label(String name) {
      return labels.getOrDefault(name, "");
    }
  }

  /**
   * How an exporter speaks.
   *
   * @param prefix of its metrics
   * @param card the label with the name under which a device plugin registers the card
   */
  private record Exporter(String prefix, String card, Function<CardFields, CardReading> reading) {}

  /**
   * The reading of each card, by UUID; never fails. An impossible value counts as unknown.
   *
   * @param before the last readings; a sick card that is no longer reported stays sick
   */
  public static Map<String, CardReading> read(List<Series> all, Map<String, CardReading> before) {
    var readings = new HashMap<String, CardReading>();
    before.forEach(
        (uuid, reading) -> {
          if (reading.isSick()) {
            readings.put(
                uuid, new CardReading(reading.health(), OptionalInt.empty(), reading.complaint()));
          }
        });
    for (var exporter : EXPORTERS) {
      fields(exporter, all)
          .forEach(
              (uuid, fields) ->
                  readings.put(uuid, exporter.reading().apply(new CardFields(fields))));
    }
    return readings;
  }

  private static Map<String, Map<String, Double>> fields(Exporter exporter, List<Series> all) {
    var cards = new HashMap<String, Map<String, Double>>();
    for (var series : all) {
      var uuid = series.label(exporter.card());
      var name = series.label("__name__");
      boolean isNumber = !Double.isNaN(series.value());
      if (isNumber && !uuid.isEmpty() && name.startsWith(exporter.prefix()) && isOfCard(series)) {
        cards
            .computeIfAbsent(uuid, _ -> new HashMap<>())
            .merge(name.substring(exporter.prefix().length()), series.value(), merge(name));
      }
    }
    return cards;
  }

  private static BinaryOperator<Double> merge(String name) {
    return name.matches(HEALTH) ? Math::min : Math::max;
  }

  /** An instance's activity is a part of its own, not of the card. */
  private static boolean isOfCard(Series series) {
    return series.label("GPU_I_ID").isEmpty()
        || !series.label("__name__").endsWith(DcgmFields.ENGINE_ACTIVE);
  }
}
