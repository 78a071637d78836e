package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Address;
import java.util.Optional;

/**
 * What keeps new claims away from a device, such as a sickness.
 *
 * @param effect NoSchedule or NoExecute; those with the effect None are not read
 */
public record Taint(String key, String value, String effect) {

  /**
   * A taint of all devices that an administrator selects; an empty field selects any.
   *
   * @param pool of the driver
   * @param device in its pool
   */
  public record Rule(
      Optional<String> driver, Optional<String> pool, Optional<String> device, Taint taint) {
    boolean isOf(Address address) {
      return driver.filter(name -> !name.equals(address.driver())).isEmpty()
          && pool.filter(name -> !name.equals(address.pool())).isEmpty()
          && device.filter(name -> !name.equals(address.name())).isEmpty();
    }
  }

  /**
   * A taint that a claim tolerates.
   *
   * @param key of the taint; empty for any
   * @param value of the taint; empty for any
   * @param effect of the taint; empty for any
   */
  public record Toleration(Optional<String> key, Optional<String> value, Optional<String> effect) {
    boolean covers(Taint taint) {
      return key.filter(wanted -> !wanted.equals(taint.key())).isEmpty()
          && value.filter(wanted -> !wanted.equals(taint.value())).isEmpty()
          && effect.filter(wanted -> !wanted.equals(taint.effect())).isEmpty();
    }
  }
}
