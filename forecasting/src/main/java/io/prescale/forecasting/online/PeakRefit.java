package io.prescale.forecasting.online;

import io.prescale.forecasting.relatives.Relatives;
import java.util.List;
import java.util.Optional;

/** A fit of the models to the observations at the time of {@link PeakForecaster#refit()}. */
public final class PeakRefit {
  private final PeakSettings settings;
  private final DemandHistory known;
  private final List<LeadingSeries> leading;
  private final Relatives lenders;
  private final int lead;
  private final int window;
  private final boolean fitsOwn;

  /**
   * @param known a copy, which nothing changes any more
   * @param leading series that may grow meanwhile: of a step, only what is before it is looked up
   * @param fitsOwn whether models of the history are fitted, or borrowed ones only
   */
  PeakRefit(
      PeakSettings settings,
      DemandHistory known,
      List<LeadingSeries> leading,
      Relatives lenders,
      int lead,
      int window,
      boolean fitsOwn) {
    this.settings = settings;
    this.known = known;
    this.leading = leading;
    this.lenders = lenders;
    this.lead = lead;
    this.window = window;
    this.fitsOwn = fitsOwn;
  }

  /** Fits the models; thread-safe and without side effects. */
  public Fitted compute() {
    return compute(false);
  }

  /** Does the same with the models side by side, on all processors. */
  public Fitted computeInParallel() {
    return compute(true);
  }

  private Fitted compute(boolean parallel) {
    if (!settings.members().contains(PeakMember.BOOSTING)) {
      return new Fitted(Optional.empty(), Optional.empty(), Optional.empty());
    }
    var others =
        fitsOwn
            ? LeadingFeatures.learn(leading, known, lead, window, settings.seed())
            : LeadingFeatures.none();
    return new Fitted(
        fitsOwn ? fit(LeadingFeatures.none(), parallel) : Optional.empty(),
        others.series().isEmpty() ? Optional.empty() : fit(others, parallel),
        BorrowedModel.fit(lenders, known, lead, window, settings.seed()));
  }

  private Optional<PeakModel> fit(LeadingFeatures others, boolean parallel) {
    return PeakModel.fit(known, others, lead, window, settings.seed(), parallel);
  }

  /**
   * The refitted models, each empty when there were too few observations.
   *
   * @param model of the history
   * @param leading of the history and leading series
   * @param borrowed of relatives
   */
  public record Fitted(
      Optional<PeakModel> model, Optional<PeakModel> leading, Optional<BorrowedModel> borrowed) {}
}
