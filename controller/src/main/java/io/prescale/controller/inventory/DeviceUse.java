package io.prescale.controller.inventory;

/**
 * What one container has of one card, as annotations of pods say it.
 *
 * @param type the family's word
 * @param cores percent of a card's compute; 0 for no limit
 */
public record DeviceUse(String uuid, String type, int memoryMib, int cores) {
  public DeviceUse {
    if (uuid.isEmpty() || type.isEmpty() || memoryMib < 0 || cores < 0) {
      throw new IllegalArgumentException(
          "a device use has a UUID, a type, and no negative amounts: %s, %s, %d MiB, %d %%"
              .formatted(uuid, type, memoryMib, cores));
    }
  }
}
