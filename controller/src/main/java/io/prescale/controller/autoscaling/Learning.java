package io.prescale.controller.autoscaling;

import io.prescale.forecasting.relatives.Relatives;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How forecasters come by their models.
 *
 * @param fits runs model fits, some hundred milliseconds each; must take every task, and may let it
 *     wait
 * @param relatives from which a forecaster with hardly a history may borrow; read at every step, by
 *     any thread
 */
public record Learning(Executor fits, Supplier<Relatives> relatives) {

  /** From each one's own history alone. */
  public static Learning alone(Executor fits) {
    return new Learning(fits, Relatives::none);
  }
}
