package io.prescale.placement.cluster;

import java.util.Optional;

/**
 * The part of one card that a placement takes.
 *
 * @param card index of the card in its node
 * @param uuid of the card
 * @param computeMilli thousandths of a card
 * @param memoryMib MiB of the card's memory
 * @param mig the instance, if the card is a MIG card
 */
public record GpuShare(
    int card, String uuid, int computeMilli, int memoryMib, Optional<MigSlot> mig) {
  public GpuShare {
    if (card < 0 || computeMilli < 0 || memoryMib < 0) {
      throw new IllegalArgumentException(
          "a share of card %d has %d milli and %d MiB: none may be negative"
              .formatted(card, computeMilli, memoryMib));
    }
  }

  /** The same share where the card is at another place of its node. */
  public GpuShare onCard(int newIndex) {
    return new GpuShare(newIndex, uuid, computeMilli, memoryMib, mig);
  }
}
