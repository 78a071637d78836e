package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ServedValueChoice;

/**
 * How cautiously Prescale decides in a replay.
 *
 * @param risk how much shortage is accepted
 * @param atZero accepted probability that demand comes while there is no replica, where the rules
 *     allow none
 * @param utilization share of a replica's capacity to aim at while forecasts are not followed
 */
public record Caution(Risk risk, double atZero, double utilization) {

  /** The usual caution but for this risk. */
  public static Caution of(Risk risk) {
    return new Caution(risk, IdleRule.USUAL_RISK, ServedValueChoice.USUAL_UTILIZATION);
  }

  /** The same with another accepted risk of shortage. */
  public Caution with(Risk other) {
    return new Caution(other, atZero, utilization);
  }
}
