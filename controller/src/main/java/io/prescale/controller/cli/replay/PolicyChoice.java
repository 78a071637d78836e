package io.prescale.controller.cli.replay;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.cli.options.Names;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.Caution;
import io.prescale.controller.simulation.replay.CraneDsp;
import io.prescale.controller.simulation.replay.CraneEstimator;
import io.prescale.controller.simulation.replay.HoltWintersOnDemand;
import io.prescale.controller.simulation.replay.OtherSeries;
import io.prescale.controller.simulation.replay.Predictive;
import io.prescale.controller.simulation.replay.PredictiveOfSeveral;
import io.prescale.controller.simulation.replay.Reactive;
import io.prescale.controller.simulation.replay.ReplayPolicy;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.SeasonalNaiveWithLead;
import io.prescale.controller.simulation.replay.SeveralDemands;
import io.prescale.forecasting.classic.HoltWinters;
import io.prescale.forecasting.online.PeakSettings;
import java.util.List;
import java.util.Optional;

/** The policies that a replay can compare, as {@code --policies} names them. */
public enum PolicyChoice {
  REACTIVE("reactive", "reactive HPA"),
  MIMIR("mimir", "Mimir's rule"),
  CRANE("crane", "Crane's rule"),
  HOLT_WINTERS("holt-winters", "Holt–Winters"),
  PRESCALE("prescale", "Prescale");

  /**
   * The settings that policies are created from.
   *
   * @param caution of Prescale; what it aims at while forecasts are not followed, the policies
   *     without a risk setting always do
   * @param several the loads whose highest is replayed, if there is more than one
   * @param schedules of Prescale; other policies have none
   * @param others what Prescale's forecasts may learn from beside the load
   */
  record Setup(
      ReplaySettings settings,
      PeakSettings peak,
      Caution caution,
      Optional<SeveralDemands> several,
      Schedules schedules,
      OtherSeries others) {

    /** The same with another accepted risk. */
    Setup with(Risk other) {
      return new Setup(settings, peak, caution.with(other), several, schedules, others);
    }

    private double target() {
      return caution.utilization();
    }

    /** Minutes until the end of the window that a replica created now would first serve. */
    int minutesAhead() {
      return (int) Math.max(1, peak.lead().plus(peak.window()).toMinutes());
    }
  }

  private final String key;
  private final String label;

  PolicyChoice(String key, String label) {
    this.key = key;
    this.label = label;
  }

  /** Creates the policy, without any history. */
  ReplayPolicy policy(Setup setup) {
    return switch (this) {
      case REACTIVE -> new Reactive(setup.target());
      case MIMIR -> SeasonalNaiveWithLead.mimir(setup.target());
      case CRANE ->
          new CraneDsp(
              setup.target(), CraneEstimator.defaults(), CraneDsp.OtherPeriod.TAKEN_FOR_A_DAY);
      case HOLT_WINTERS ->
          new HoltWintersOnDemand(
              setup.target(), new HoltWinters(setup.peak().zone()), setup.minutesAhead());
      case PRESCALE -> prescale(setup);
    };
  }

  private static ReplayPolicy prescale(Setup setup) {
    return setup
        .several()
        .<ReplayPolicy>map(
            several ->
                new PredictiveOfSeveral(
                    several, setup.settings(), setup.peak(), setup.caution(), setup.schedules()))
        .orElseGet(
            () ->
                new Predictive(
                    setup.settings(),
                    setup.peak(),
                    setup.caution(),
                    setup.schedules(),
                    setup.others()));
  }

  /** Short name for a table. */
  public String label() {
    return label;
  }

  public static PolicyChoice parse(String text) {
    return Names.find("policy", text, List.of(values()), choice -> choice.key);
  }
}
