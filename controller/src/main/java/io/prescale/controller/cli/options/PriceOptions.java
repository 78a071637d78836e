package io.prescale.controller.cli.options;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What cards cost. */
public final class PriceOptions {
  @Option(
      names = "--card-hour-price",
      paramLabel = "PRICE",
      description =
          "What an hour of a card costs, in any currency; the page then says what was saved in"
              + " money (default: it does not).")
  @Nullable Double cardHour;

  public OptionalDouble perCardHour() {
    return cardHour == null ? OptionalDouble.empty() : OptionalDouble.of(cardHour);
  }

  /** Refuses what is no price. */
  public void requireSense() {
    if (cardHour != null && !(cardHour > 0 && Double.isFinite(cardHour))) {
      throw new UsageException("--card-hour-price must be more than 0: %s.".formatted(cardHour));
    }
  }
}
