package io.prescale.controller.simulation.replay;

import io.prescale.forecasting.online.LeadingSeries;
import io.prescale.forecasting.relatives.Relatives;
import java.util.List;

/**
 * What forecasts may learn from beside the replayed demand.
 *
 * @param relatives how other services move, for the first week
 * @param leading what may show the demand before it comes; of each only what is over is used
 */
public record OtherSeries(Relatives relatives, List<LeadingSeries> leading) {
  public OtherSeries {
    leading = List.copyOf(leading);
  }

  /** Nothing else. */
  public static OtherSeries none() {
    return new OtherSeries(Relatives.none(), List.of());
  }
}
