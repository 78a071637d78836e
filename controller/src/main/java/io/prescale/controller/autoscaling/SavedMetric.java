package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.PeakForecaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What another process needs to go on with a metric: its forecaster, what its forecasts were worth,
 * and how often capacity fell short.
 *
 * @param fittedAt the end of what its models were fitted to; empty without models
 * @param shortShare as {@link ServedValueChoice#shortShare}
 */
record SavedMetric(
    PeakForecaster forecaster,
    Breaker breaker,
    Optional<Instant> fittedAt,
    OptionalDouble shortShare) {
  private static final int VERSION = 2;

  /** Longer after its newest observation, a history from the server says more. */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  /** At least one in this many of the kept steps must be known. */
  private static final int LEAST_KNOWN = 2;

  private static final double NONE = -1;
  private static final long NEVER = Long.MIN_VALUE;

  /**
   * As bytes, big-endian: version (1), lead time and kept history in milliseconds (8 each), the
   * breaker's operating level (8), end of what the models were fitted to in milliseconds since the
   * epoch, or the least number (8), share of time in shortage or {@value #NONE} (8), the breaker,
   * and the rest is {@link PeakForecaster#save}.
   */
  byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeLong(forecaster.settings().lead().toMillis());
      out.writeLong(forecaster.settings().remember().toMillis());
      out.writeDouble(breaker.level());
      out.writeLong(fittedAt.map(Instant::toEpochMilli).orElse(NEVER));
      out.writeDouble(shortShare.orElse(NONE));
      breaker.writeTo(out);
      out.write(forecaster.save());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory cannot fail
    }
    return bytes.toByteArray();
  }

  /** The result of reading. */
  sealed interface Read {
    /** What was saved. */
    record Ok(SavedMetric metric) implements Read {}

    /**
     * Nothing can be made of it.
     *
     * @param reason a sentence
     */
    record Refused(String reason) implements Read {}
  }

  /** Reads what was saved for the same kind of forecasts, not long ago. */
  static Read read(byte[] saved, ForecastSettings settings, double operatingLevel, Instant now) {
    try (var in = new DataInputStream(new ByteArrayInputStream(saved))) {
      if (in.readByte() != VERSION) {
        return new Read.Refused("The saved state is of another version.");
      }
      var lead = Duration.ofMillis(in.readLong());
      if (in.readLong() != settings.remember().toMillis() || in.readDouble() != operatingLevel) {
        return new Read.Refused("The saved state is of other settings.");
      }
      long fitted = in.readLong();
      var fittedAt = Optional.of(fitted).filter(it -> it != NEVER).map(Instant::ofEpochMilli);
      double share = in.readDouble();
      if (share != NONE && !(share >= 0 && share <= 1)) {
        return new Read.Refused("The saved state has a share of " + share + ".");
      }
      var shortShare = share == NONE ? OptionalDouble.empty() : OptionalDouble.of(share);
      var breaker = Breaker.read(in, operatingLevel);
      var restored = PeakForecaster.restore(in.readAllBytes(), settings.forLead(lead));
      return switch (restored) {
        case PeakForecaster.Restored.Refused(var reason) -> new Read.Refused(reason);
        case PeakForecaster.Restored.Ok(var forecaster) ->
            recent(new SavedMetric(forecaster, breaker, fittedAt, shortShare), settings, now);
      };
    } catch (IOException | IllegalArgumentException e) {
      return new Read.Refused("The saved state cannot be read: " + e.getMessage());
    }
  }

  private static Read recent(SavedMetric metric, ForecastSettings settings, Instant now) {
    var next = metric.forecaster.next();
    var longest =
        Collections.min(List.of(LONGEST_PAUSE, settings.remember().dividedBy(LEAST_KNOWN)));
    if (next.isAfter(now) || next.plus(longest).isBefore(now)) {
      return new Read.Refused(
          "The saved state ends at %s, which is %s."
              .formatted(next, next.isAfter(now) ? "in the future" : "too long ago"));
    }
    return new Read.Ok(metric);
  }
}
