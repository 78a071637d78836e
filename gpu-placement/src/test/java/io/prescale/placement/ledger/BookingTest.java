package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose replicas may have each other's cards. */
class BookingTest {
  private static Booking.Kind kind(String name, boolean init) {
    var containers =
        List.of(
            new Container("first", init, Map.of("nvidia.com/gpu", 1L)),
            new Container("main", false, Map.of("nvidia.com/gpu", 2L)));
    return new Booking(
            name,
            new PodSelector("default", Map.of("app", name)),
            Pods.of(name, containers, Map.of()),
            Set.of("a"),
            List.of(),
            200)
        .kind();
  }

  /** Three cards together, or two, of which one is used before. */
  @Test
  void aContainerThatRunsBeforeTheOthersIsNotOneBesideThem() {
    assertThat(kind("web", true)).isEqualTo(kind("chat", true)).isNotEqualTo(kind("web", false));
  }
}
