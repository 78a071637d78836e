package io.prescale.placement.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MigRoomTest {
  private static final List<MigProfile> A100 = MigCards.A100_80GB;

  private static MigProfile profile(String name) {
    return A100.stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void putsSmallInstancesWhereTheyBlockTheFewestLargeOnes() {
    assertThat(new MigRoom(A100, 0).bestStart(profile("1g.10gb"), 0)).hasValue(6);
    assertThat(new MigRoom(A100, 0b0100_0000).bestStart(profile("1g.10gb"), 1)).hasValue(4);
    assertThat(new MigRoom(A100, 0b0101_0000).bestStart(profile("1g.10gb"), 2)).hasValue(5);
    assertThat(new MigRoom(A100, 0).bestStart(profile("2g.20gb"), 0)).hasValue(4);
    assertThat(new MigRoom(A100, 0).bestStart(profile("1g.20gb"), 0)).hasValue(6);
  }

  @Test
  void keepsThePlaceOfAFourSliceInstanceFree() {
    assertThat(new MigRoom(A100, 0).bestStart(profile("3g.40gb"), 0)).hasValue(4);
    assertThat(new MigRoom(A100, 0b1111_0000).bestStart(profile("3g.40gb"), 1)).hasValue(0);
  }

  @Test
  void findsAsManyPlacesAsThereAre() {
    var taken = new MigRoom(A100, 0b1111_0000);

    assertThat(taken.bestStarts(profile("1g.10gb"), 3, 2)).containsExactly(0, 1);
    assertThat(taken.bestStarts(profile("1g.10gb"), 3, 9)).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(taken.bestStarts(profile("1g.10gb"), 5, 9)).as("seven at most").hasSize(2);
    assertThat(new MigRoom(A100, 0).bestStarts(profile("3g.40gb"), 0, 9)).containsExactly(4, 0);
    assertThat(taken.bestStarts(profile("7g.80gb"), 0, 9)).isEmpty();
  }

  @Test
  void findsNoPlaceWhenSlicesAreTakenOrTheLimitIsReached() {
    assertThat(new MigRoom(A100, 1).bestStart(profile("7g.80gb"), 0)).isEmpty();
    assertThat(new MigRoom(A100, 0b0010_0010).bestStart(profile("3g.40gb"), 0)).isEmpty();
    assertThat(new MigRoom(A100, 0xFF).bestStart(profile("1g.10gb"), 7)).isEmpty();
    assertThat(new MigRoom(A100, 1).bestStart(profile("1g.10gb+me"), 1)).isEmpty();
    assertThat(new MigRoom(A100, 1).bestStart(profile("1g.10gb+me"), 0)).hasValue(1);
    assertThat(new MigRoom(MigCards.A30, 0).bestStart(profile("1g.10gb"), 0)).isEmpty();
  }

  @Test
  void refusesSlicesThatNoCardHas() {
    assertThatThrownBy(() -> new MigRoom(A100, -1)).hasMessageContaining("taken slices -1");
    assertThatThrownBy(() -> new MigRoom(A100, 1 << 16)).hasMessageContaining("at most 16 slices");
  }

  /** Other starts may leave as many places for every profile, but none leaves more. */
  @Test
  void noOtherStartLeavesMoreOfTheLargestProfileThatDiffers() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 2_000; round++) {
      int taken = random.nextInt(256);
      MigProfile wanted = A100.get(random.nextInt(A100.size()));
      int chosen = new MigRoom(A100, taken).bestStart(wanted, 0).orElse(-1);
      assertThat(chosen >= 0).isEqualTo(wanted.freeStarts(taken).findAny().isPresent());
      if (chosen < 0) {
        continue;
      }
      assertThat(wanted.fits(chosen, taken)).isTrue();
      for (int start : wanted.freeStarts(taken).toArray()) {
        assertThat(weight(taken | wanted.slices(start)))
            .isLessThanOrEqualTo(weight(taken | wanted.slices(chosen)));
      }
    }
  }

  /** Places left, the largest profile in the highest digit. */
  private static long weight(int taken) {
    long weight = 0;
    for (String name : List.of("7g.80gb", "4g.40gb", "3g.40gb", "2g.20gb", "1g.20gb", "1g.10gb")) {
      long places = 0;
      MigProfile profile = profile(name);
      for (int start : profile.starts()) {
        int end = start + profile.size();
        boolean free = true;
        for (int slice = start; slice < end; slice++) {
          free &= (taken >> slice & 1) == 0;
        }
        places += free ? 1 : 0;
      }
      weight = 10 * weight + places;
    }
    return weight;
  }
}
