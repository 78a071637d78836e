package io.prescale.placement.overcommit;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import io.prescale.placement.overcommit.ObservedMemory.Sharer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which usage counts: only of pods that were there all the time, under the same promise. */
class ObservedMemoryTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");
  private static final MemoryUsage UNKNOWN = MemoryUsage.unknown(10_000);
  private static final Observation SEEN = new Observation(3000, 200, Optional.of(10_000));

  private static Sharer sharer(String pod, Instant created) {
    return new Sharer("team", pod, Optional.of(created), 10_000);
  }

  private static ObservedMemory observed(Map<Share, Observation> shares, double cardMib) {
    return new ObservedMemory(
        SINCE, shares, Map.of("card", new Observation(cardMib, 500, Optional.empty())));
  }

  private static Share share(String pod) {
    return new Share("team", pod, "card");
  }

  @Test
  void aPodCountsWithWhatItUsesOnceItWasThereForTheWholeWindow() {
    var observed = observed(Map.of(share("old"), SEEN, share("young"), SEEN), 7000);

    assertThat(
            observed.of(
                "card", List.of(sharer("old", SINCE), sharer("young", SINCE.plusSeconds(1)))))
        .containsExactly(new MemoryUsage(10_000, 3000, 200), UNKNOWN);
  }

  @Test
  void anotherPromiseAnotherCardOrAPodThatIsNotKnownCountsInFull() {
    var observed = observed(Map.of(share("old"), SEEN), 7000);
    var larger = new Sharer("team", "old", Optional.of(SINCE), 20_000);
    var unknown = new Sharer("", "", Optional.empty(), 10_000);

    assertThat(observed.of("other", List.of(sharer("old", SINCE)))).containsExactly(UNKNOWN);
    assertThat(ObservedMemory.NONE.of("card", List.of(sharer("old", SINCE))))
        .containsExactly(UNKNOWN);
    assertThat(observed.of("card", List.of(larger, unknown)))
        .containsExactly(MemoryUsage.unknown(20_000), UNKNOWN);
  }

  @Test
  void whereNotAllPodsAreToldApartTheCardsTotalCountsIfAllWereThere() {
    var observed = observed(Map.of(share("a"), SEEN), 7000);

    assertThat(observed.of("card", List.of(sharer("a", SINCE), sharer("b", SINCE))))
        .as("b is not observed by itself")
        .containsExactly(new MemoryUsage(20_000, 7000, 500));
    assertThat(observed.of("card", List.of(sharer("a", SINCE)))).hasSize(1);
    assertThat(observed.of("card", List.of(sharer("a", SINCE), sharer("b", SINCE.plusSeconds(60)))))
        .as("of the total, the part of one that came later is not known")
        .containsExactly(new MemoryUsage(10_000, 3000, 200), UNKNOWN);
  }

  @Test
  void useAboveThePromiseIsCutOff() {
    var wild =
        observed(Map.of(share("a"), new Observation(12_000, 9000, Optional.of(10_000))), 30_000);

    assertThat(wild.of("card", List.of(sharer("a", SINCE))))
        .containsExactly(new MemoryUsage(10_000, 10_000, 5000));
  }
}
