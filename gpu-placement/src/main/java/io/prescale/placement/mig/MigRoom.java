package io.prescale.placement.mig;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * The free room on a MIG card.
 *
 * @param profiles profiles that the card supports
 * @param takenSlices the slices of existing instances, one bit each
 */
public record MigRoom(List<MigProfile> profiles, int takenSlices) {
  /** Large instances are the hardest to place, so their lost places count first. */
  private static final Comparator<MigProfile> LARGE_FIRST =
      Comparator.comparingInt(MigProfile::size)
          .thenComparingInt(MigProfile::computeMilli)
          .reversed();

  public MigRoom {
    profiles = profiles.stream().sorted(LARGE_FIRST).toList();
    if (takenSlices < 0 || takenSlices >= 1 << MigProfile.MOST_SLICES) {
      throw new IllegalArgumentException(
          "taken slices %d; give one bit for each of at most %d slices"
              .formatted(takenSlices, MigProfile.MOST_SLICES));
    }
  }

  /**
   * The best start for one more instance: the one that leaves the most places for the largest
   * profile, among equals for the next largest, and so on; the lowest among equals. Exact: every
   * start is tried.
   *
   * @param existing number of instances of this profile on the card
   * @return empty when no place is free or the profile's maximum is reached
   */
  OptionalInt bestStart(MigProfile wanted, int existing) {
    if (!profiles.contains(wanted) || existing >= wanted.most()) {
      return OptionalInt.empty();
    }
    return wanted
        .freeStarts(takenSlices)
        .boxed()
        .max(
            Comparator.comparing((Integer start) -> places(wanted, start), MigRoom::compare)
                .thenComparing(Comparator.reverseOrder()))
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }

  /** The best starts for some more instances, one after the other; fewer where room ends. */
  public List<Integer> bestStarts(MigProfile wanted, int existing, int most) {
    var starts = new ArrayList<Integer>();
    var room = this;
    while (starts.size() < most) {
      var start = room.bestStart(wanted, existing + starts.size());
      if (start.isEmpty()) {
        break;
      }
      starts.add(start.getAsInt());
      room = new MigRoom(profiles, room.takenSlices | wanted.slices(start.getAsInt()));
    }
    return starts;
  }

  /** The places that an instance at a start would leave for each profile, large ones first. */
  private List<Long> places(MigProfile wanted, int start) {
    int taken = takenSlices | wanted.slices(start);
    return profiles.stream().map(profile -> profile.freeStarts(taken).count()).toList();
  }

  private static int compare(List<Long> left, List<Long> right) {
    for (int i = 0; i < left.size(); i++) {
      int order = Long.compare(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
