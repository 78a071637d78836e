package io.prescale.placement.inventory;

import java.util.Optional;

/**
 * How near each other in the network the pods of a gang are placed. A level is named by the label
 * of nodes whose value is the domain.
 *
 * @param required the level within one domain of which all have to be
 * @param preferred the level within one domain of which they should be
 * @param isForeign whether these are the words of another scheduler, which may know levels that are
 *     not known here
 */
public record Nearness(Optional<String> required, Optional<String> preferred, boolean isForeign) {
  public static final Nearness ANYWHERE = new Nearness(Optional.empty(), Optional.empty(), false);

  /** Whether it asks for anything. */
  public boolean isStated() {
    return required.isPresent() || preferred.isPresent();
  }
}
