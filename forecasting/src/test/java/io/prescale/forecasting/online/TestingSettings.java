package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.Set;

/** Variants of settings. */
final class TestingSettings {
  private TestingSettings() {}

  static PeakSettings refittedEvery(Duration refitEvery, PeakSettings like) {
    return new PeakSettings(
        like.step(),
        like.lead(),
        like.window(),
        like.zone(),
        like.calendar(),
        refitEvery,
        like.remember(),
        like.seed(),
        like.members());
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
}
