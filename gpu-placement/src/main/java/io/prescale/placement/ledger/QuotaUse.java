package io.prescale.placement.ledger;

/** By which right a queue has its cards, and so each of its pods. */
public enum QuotaUse {
  /** It has no more than its guarantee, so that none of its pods is taken back. */
  GUARANTEED("Guaranteed"),
  /** It has more; any of its pods may be taken back until it has its guarantee. */
  OVER_QUOTA("OverQuota");

  private final String word;

  QuotaUse(String word) {
    this.word = word;
  }

  /** How it is written on pods. */
  public String word() {
    return word;
  }
}
