package io.prescale.placement.inventory;

import io.prescale.placement.cluster.MigSlot;
import java.util.Optional;

/**
 * The part of one card that one container has, as pods' annotations record it.
 *
 * @param type the family's word
 * @param cores percent of a card's compute; 0 for no limit
 * @param mig the instance, on a card in MIG mode
 */
public record DeviceUse(String uuid, String type, int memoryMib, int cores, Optional<MigSlot> mig) {
  public DeviceUse {
    if (uuid.isEmpty() || type.isEmpty() || memoryMib < 0 || cores < 0) {
      throw new IllegalArgumentException(
          "a device use has a UUID, a type, and no negative amounts: %s, %s, %d MiB, %d %%"
              .formatted(uuid, type, memoryMib, cores));
    }
  }

  /** The use of a card that is not in MIG mode. */
  public DeviceUse(String uuid, String type, int memoryMib, int cores) {
    this(uuid, type, memoryMib, cores, Optional.empty());
  }
}
