package io.prescale.controller.cli.plan;

import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanPeak;
import io.prescale.controller.api.v1alpha1.PlanShape;
import io.prescale.controller.cli.terminal.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan in words. */
final class PlanText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Duration OLD = Duration.ofHours(1);

  private PlanText() {}

  static List<String> lines(CapacityPlanStatus status, Instant now) {
    var lines = new ArrayList<String>();
    var madeAt = Objects.requireNonNull(status.madeAt());
    lines.add(
        "Plan of %s UTC for the next day, P%d in each step: %s."
            .formatted(TIME.format(madeAt), status.percent(), result(status)));
    if (madeAt.plus(OLD).isBefore(now)) {
      lines.add(
          "It is %d min old: does a controller lead?"
              .formatted(Duration.between(madeAt, now).toMinutes()));
    }
    lines.add("");
    if (!status.shapes().isEmpty()) {
      int asked = Objects.requireNonNullElse(status.percent(), 90);
      lines.addAll(table(status.shapes(), asked).lines());
      lines.add("");
    }
    status.statements().forEach(it -> lines.add(it.message()));
    status.workloads().stream()
        .filter(it -> it.demand().isEmpty())
        .forEach(
            it ->
                lines.add(
                    "%s is not in the plan: %s"
                        .formatted(
                            it.name(),
                            Objects.requireNonNullElse(it.problem(), "No forecast yet."))));
    if (status.leftOut() != null) {
      lines.add(
          status.leftOut() == 1
              ? "1 more service is left out: the plan is full."
              : "%d more services are left out: the plan is full.".formatted(status.leftOut()));
    }
    lines.add(calibration(status.calibration()));
    return lines;
  }

  private static String result(CapacityPlanStatus status) {
    int shortages = status.statements().size();
    if (shortages > 0) {
      return shortages == 1 ? "1 shortage" : shortages + " shortages";
    }
    if (status.workloads().isEmpty()) {
      return "no service asks for cards";
    }
    return status.workloads().stream().allMatch(it -> it.demand().isEmpty())
        ? "no service has a forecast yet"
        : "all fits";
  }

  /**
   * @param asked percent for which the plan was made, whose time is shown
   */
  private static TextTable table(List<PlanShape> shapes, int asked) {
    var percents =
        shapes.stream()
            .flatMap(shape -> shape.peaks().stream().map(PlanPeak::percent))
            .distinct()
            .sorted()
            .toList();
    var above = new ArrayList<>(List.of("", "runs"));
    var heads = new ArrayList<>(List.of("shape and services", "now"));
    for (int percent : percents) {
      above.add("cards");
      heads.add("P" + percent);
    }
    above.add("");
    heads.add("at (UTC)");
    var table = new TextTable(above, heads);
    for (var shape : shapes) {
      var cells =
          new ArrayList<>(
              List.of(
                  "%s: %s".formatted(shape.shape(), String.join(", ", shape.workloads())),
                  String.valueOf(shape.running())));
      percents.forEach(percent -> cells.add(cards(shape, percent)));
      cells.add(peak(shape, asked).map(it -> TIME.format(it.at())).orElse(""));
      table.row(cells);
    }
    return table;
  }

  private static String cards(PlanShape shape, int percent) {
    return peak(shape, percent).map(PlanPeak::cards).orElse("");
  }

  private static Optional<PlanPeak> peak(PlanShape shape, int percent) {
    return shape.peaks().stream().filter(it -> it.percent() == percent).findFirst();
  }

  private static String calibration(@Nullable PlanCalibration calibration) {
    return Optional.ofNullable(calibration)
        .flatMap(PlanCalibration::sentence)
        .orElse("No earlier statement has been scored yet.");
  }
}
