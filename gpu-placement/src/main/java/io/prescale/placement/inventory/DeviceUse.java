package io.prescale.placement.inventory;

import io.prescale.placement.cluster.MigSlot;
import java.util.Optional;

/**
 * What one container has of one card, as annotations of pods say it.
 *
 * @param type the family's word
 * @param cores percent of a card's compute; 0 for no limit
 * @param mig which instance it is, on a card that is cut by MIG
 */
public record DeviceUse(String uuid, String type, int memoryMib, int cores, Optional<MigSlot> mig) {
  public DeviceUse {
    if (uuid.isEmpty() || type.isEmpty() || memoryMib < 0 || cores < 0) {
      throw new IllegalArgumentException(
          "a device use has a UUID, a type, and no negative amounts: %s, %s, %d MiB, %d %%"
              .formatted(uuid, type, memoryMib, cores));
    }
  }

  /** Of a card that is not cut. */
  public DeviceUse(String uuid, String type, int memoryMib, int cores) {
    this(uuid, type, memoryMib, cores, Optional.empty());
  }
}
