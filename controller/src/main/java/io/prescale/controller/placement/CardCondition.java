package io.prescale.controller.placement;

import io.prescale.controller.inventory.CardReading;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a card's exporter says, put on what its device plugin or driver says. */
public final class CardCondition {
  private CardCondition() {}

  /** The cards of which something else is said now that matters to placement. */
  public static Set<String> changed(Map<String, CardReading> before, Map<String, CardReading> now) {
    var changed = new HashSet<String>();
    now.forEach(
        (uuid, reading) -> {
          var known = before.get(uuid);
          if (known == null || !known.coarse().equals(reading.coarse())) {
            changed.add(uuid);
          }
        });
    before.keySet().stream().filter(uuid -> !now.containsKey(uuid)).forEach(changed::add);
    return changed;
  }

  /** The card in that condition; one that must not be used for another reason stays so. */
  public static Gpu on(Gpu card, CardReading reading) {
    var state = card.health().state();
    var coarse = reading.coarse();
    return card.withHealth(state == State.USABLE ? coarse : coarse.withState(state));
  }

  /** Why a card is not used; empty when it is. */
  public static Optional<String> problem(String uuid, CardReading reading) {
    return reading.isSick()
        ? Optional.of("card %s is not used: %s.".formatted(uuid, reading.complaint()))
        : Optional.empty();
  }
}
