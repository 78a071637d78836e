package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.LeadingSeries;
import io.prescale.forecasting.relatives.Relatives;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How forecasters come by their models.
 *
 * @param fits runs model fits, some hundred milliseconds each; must take every task, and may let it
 *     wait
 * @param relatives from which a forecaster with hardly a history may borrow; read at every step, by
 *     any thread
 * @param leading series that may show the demand of a metric before it comes, by metric
 */
public record Learning(
    Executor fits, Supplier<Relatives> relatives, Map<String, List<LeadingSeries>> leading) {

  /** With relatives, and without leading series. */
  public Learning(Executor fits, Supplier<Relatives> relatives) {
    this(fits, relatives, Map.of());
  }

  /** From each one's own history alone. */
  public static Learning alone(Executor fits) {
    return new Learning(fits, Relatives::none);
  }

  /** The same with series that may lead metrics. */
  public Learning following(Map<String, List<LeadingSeries>> series) {
    return new Learning(fits, relatives, series);
  }

  /** The series that may lead a metric. */
  List<LeadingSeries> leading(String metric) {
    return leading.getOrDefault(metric, List.of());
  }
}
