package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.inventory.CardReading;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Combines what a card's exporter reports with what its device plugin or driver registers. */
public final class CardCondition {
  private CardCondition() {}

  /** The cards whose condition has changed as far as placement looks at it. */
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

  /**
   * Adds the condition to a card; one that must not be used for another reason stays so.
   *
   * @param readings of all cards, by UUID
   * @param problems gets a sentence when the card's condition is why it is not used
   */
  public static Gpu conditioned(
      Gpu card, Map<String, CardReading> readings, List<String> problems) {
    var reading = readings.get(card.uuid());
    if (reading == null) {
      return card;
    }
    reading
        .complaint()
        .ifPresent(why -> problems.add("card %s is not used: %s.".formatted(card.uuid(), why)));
    var state = card.health().state();
    var coarse = reading.coarse();
    return card.withHealth(state == State.USABLE ? coarse : coarse.withState(state));
  }
}
