package io.prescale.placement.mig;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A kind of MIG instance and its possible places on a card.
 *
 * <p>A card's memory has 4 slices on A30 and 8 on the others; an instance takes {@code size}
 * slices, beginning at one of {@code starts}. Instances must not overlap; the driver allows no
 * other places ({@code nvidia-smi mig -lgipp}).
 *
 * @param name as in {@code 3g.40gb}
 * @param computeMilli share of the card's multiprocessors, in thousandths, rounded down
 * @param memoryMib nominal memory, the gigabytes in the name; a few percent less are usable
 * @param starts the legal first slices, ascending
 * @param size number of memory slices
 * @param most how many may exist on a card at a time
 */
public record MigProfile(
    String name, int computeMilli, int memoryMib, List<Integer> starts, int size, int most) {
  public static final int MOST_SLICES = 16;

  public MigProfile {
    starts = List.copyOf(starts);
    if (name.isBlank()) {
      throw new IllegalArgumentException("a MIG profile needs a name, such as 1g.10gb");
    }
    if (computeMilli < 1 || computeMilli > 1000 || memoryMib < 1 || size < 1 || most < 1) {
      throw new IllegalArgumentException(
          "MIG profile %s: %d milli, %d MiB, size %d, at most %d; give 1 to 1000 milli and 1 or more of the others"
              .formatted(name, computeMilli, memoryMib, size, most));
    }
    if (starts.isEmpty()) {
      throw new IllegalArgumentException(
          "MIG profile %s has no place; give starts".formatted(name));
    }
    int previous = -1;
    for (int start : starts) {
      if (start <= previous || start > MOST_SLICES - size) {
        throw new IllegalArgumentException(
            "MIG profile %s of %d slices starts at %s; give ascending starts of which the last is at most %d"
                .formatted(name, size, starts, MOST_SLICES - size));
      }
      previous = start;
    }
  }

  /** The slices of an instance that starts at {@code start}, one bit each. */
  public int slices(int start) {
    return ((1 << size) - 1) << start;
  }

  /**
   * Whether an instance may start at {@code start}: the place is legal and none of its slices is
   * taken.
   */
  public boolean fits(int start, int takenSlices) {
    return starts.contains(start) && (slices(start) & takenSlices) == 0;
  }

  /** The legal starts that are free, ascending. */
  public IntStream freeStarts(int takenSlices) {
    return starts.stream().mapToInt(start -> start).filter(start -> fits(start, takenSlices));
  }
}
