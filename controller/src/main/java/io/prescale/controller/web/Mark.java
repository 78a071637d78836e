package io.prescale.controller.web;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.time.Instant;

/**
 * Something on a time axis that explains what is seen beside it.
 *
 * @param text a sentence
 */
public record Mark(Instant at, Kind kind, String text) {
  /** What happened. */
  public enum Kind {
    /** Models were fitted. */
    REFIT,
    /** Forecasts are followed from now on, or no longer. */
    BREAKER,
    /** A pod was asked to give its cards back. */
    NOTICE,
    /** New pods of another revision than the others. */
    DEPLOY,
    /** Something is wrong from now on. */
    INCIDENT,
    /** What was wrong is over. */
    RECOVERY,
    /** Something happened to the cluster; only the demo knows. Also what a later version names. */
    @JsonEnumDefaultValue
    EVENT
  }
}
