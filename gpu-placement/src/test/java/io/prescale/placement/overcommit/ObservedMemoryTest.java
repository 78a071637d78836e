package io.prescale.placement.overcommit;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import io.prescale.placement.overcommit.ObservedMemory.Sharer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which usage counts: only of pods that were there all the time, under the same promise. */
class ObservedMemoryTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");
  private static final MemoryUsage UNKNOWN = MemoryUsage.unknown(10_000);
  private static final Observation SEEN = new Observation(3000, 200, 10_000);

  private static Sharer sharer(String pod, Instant created) {
    return new Sharer("team", pod, created, 10_000);
  }

  private static Share share(String pod) {
    return new Share("team", pod, "card");
  }

  @Test
  void aPodCountsWithWhatItUsesOnceItWasThereForTheWholeWindow() {
    var observed = new ObservedMemory(SINCE, Map.of(share("old"), SEEN, share("young"), SEEN));

    assertThat(
            observed.of(
                "card", List.of(sharer("old", SINCE), sharer("young", SINCE.plusSeconds(1)))))
        .containsExactly(new MemoryUsage(10_000, 3000, 200), UNKNOWN);
  }

  @Test
  void anotherPromiseAnotherCardOrAPodThatWasNotObservedCountsInFull() {
    var observed = new ObservedMemory(SINCE, Map.of(share("old"), SEEN));
    var larger = new Sharer("team", "old", SINCE, 20_000);

    assertThat(observed.of("other", List.of(sharer("old", SINCE)))).containsExactly(UNKNOWN);
    assertThat(ObservedMemory.NONE.of("card", List.of(sharer("old", SINCE))))
        .containsExactly(UNKNOWN);
    assertThat(observed.of("card", List.of(larger, sharer("queued", Instant.EPOCH))))
        .as("one that waited for days has used nothing")
        .containsExactly(MemoryUsage.unknown(20_000), UNKNOWN);
  }

  @Test
  void useAboveThePromiseIsCutOff() {
    var wild = new Observation(12_000, 9000, 10_000);

    assertThat(
            new ObservedMemory(SINCE, Map.of(share("a"), wild))
                .of("card", List.of(sharer("a", SINCE))))
        .containsExactly(new MemoryUsage(10_000, 10_000, 5000));
  }
}
