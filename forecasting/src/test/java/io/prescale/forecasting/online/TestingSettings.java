package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.Set;

/** Variants of settings. */
final class TestingSettings {
  private TestingSettings() {}

  /** Five minutes ahead. */
  static PeakSettings refittedEvery(Duration refitEvery) {
    var usual = PeakSettings.forLead(Duration.ofMinutes(5));
    return new PeakSettings(
        usual.step(),
        usual.lead(),
        usual.window(),
        usual.zone(),
        usual.calendar(),
        refitEvery,
        usual.remember(),
        usual.seed(),
        usual.members());
  }

  static PeakSettings combining(Set<PeakMember> members, PeakSettings like) {
    return new PeakSettings(
        like.step(),
        like.lead(),
        like.window(),
        like.zone(),
        like.calendar(),
        like.refitEvery(),
        like.remember(),
        like.seed(),
        members);
  }

  static PeakSettings remembering(Duration remember, PeakSettings like) {
    return new PeakSettings(
        like.step(),
        like.lead(),
        like.window(),
        like.zone(),
        like.calendar(),
        like.refitEvery(),
        remember,
        like.seed(),
        like.members());
  }
}
