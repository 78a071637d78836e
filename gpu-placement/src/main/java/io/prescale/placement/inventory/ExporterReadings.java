package io.prescale.placement.inventory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
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
          new Exporter(DcgmFields.PREFIX, "UUID", DcgmFields.CONDITION, DcgmFields::reading),
          new Exporter(AmdFields.PREFIX, "gpu_uuid", Set.of(AmdFields.HEALTH), AmdFields::reading),
          new Exporter(
              AscendFields.PREFIX, "vdie_id", Set.of(AscendFields.HEALTH), AscendFields::reading));

  /** Metrics that are 1 while a card is well. */
  private static final List<String> WELL =
      List.of(AmdFields.PREFIX + AmdFields.HEALTH, AscendFields.PREFIX + AscendFields.HEALTH);

  private static final String FIELDS =
      "%s(%s)|%s(%s)|%s(%s)"
          .formatted(
              DcgmFields.PREFIX,
              DcgmFields.FIELDS,
              AmdFields.PREFIX,
              AmdFields.FIELDS,
              AscendFields.PREFIX,
              AscendFields.FIELDS);

  private ExporterReadings() {}

  /**
   * Asks for the value of every field that is read, for each card and MIG instance.
   *
   * @param exporters which series are theirs
   */
  public static String query(SeriesMatchers exporters) {
    return "max by (%1$s) (%2$s) or on (%1$s) min by (%1$s) (%3$s)"
        .formatted(
            "__name__, UUID, GPU_I_ID, gpu_uuid, vdie_id",
            exporters.named(FIELDS),
            exporters.named(String.join("|", WELL)));
  }

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
   * The metrics of one exporter.
   *
   * @param prefix of all of them
   * @param card the label with the name under which a device plugin registers the card
   * @param condition the fields that say whether a card is sick
   */
  private record Exporter(
      String prefix,
      String card,
      Set<String> condition,
      Function<CardFields, CardReading> reading) {
    /** Without word of its condition, a sick card stays sick. */
    CardReading reading(CardFields fields, Optional<CardReading> before) {
      var now = reading.apply(fields);
      var sick = before.filter(CardReading::isSick);
      return sick.isEmpty() || condition.stream().anyMatch(fields::has)
          ? now
          : sick.get().withUtilisation(now.utilisationPercent());
    }
  }

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
            readings.put(uuid, reading.withUtilisation(OptionalInt.empty()));
          }
        });
    for (var exporter : EXPORTERS) {
      fields(exporter, all)
          .forEach(
              (uuid, fields) ->
                  readings.put(
                      uuid,
                      exporter.reading(
                          new CardFields(fields), Optional.ofNullable(before.get(uuid)))));
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
    return WELL.contains(name) ? Math::min : Math::max;
  }

  /** An instance's activity is a part of its own, not of the card. */
  private static boolean isOfCard(Series series) {
    return series.label("GPU_I_ID").isEmpty()
        || !series.label("__name__").endsWith(DcgmFields.ENGINE_ACTIVE);
  }
}
