package io.prescale.controller.autoscaling;

import io.prescale.forecasting.Sample;
import java.util.List;

/**
 * What was read of one metric since the last tick. An unknown metric is never taken for an idle
 * one.
 */
public sealed interface Reading {
  /**
   * The metric was read.
   *
   * @param samples in any order; those that were seen before, are not finite, are negative or lie
   *     in the future are ignored; none is legal when no new one was due. The sample of time T
   *     belongs to the step that ends at T, or that T lies in.
   * @param series how many series were added up at those times; empty where that was not asked, see
   *     {@link ScalingCycle#seriesNeededSince}, or cannot be known
   */
  record Observed(List<Sample> samples, List<Sample> series) implements Reading {
    public Observed {
      samples = List.copyOf(samples);
      series = List.copyOf(series);
    }

    public Observed(List<Sample> samples) {
      this(samples, List.of());
    }
  }

  /**
   * The metric could not be read.
   *
   * @param message a sentence for people, without secrets
   */
  record Missing(Reason reason, String message) implements Reading {}

  /** Why a metric could not be read. A closed list: conditions and self-metrics name it. */
  enum Reason {
    /** The server answered: the query finds nothing. */
    NO_DATA,
    /** The query finds more than one series. */
    MANY_SERIES,
    /** The only values are NaN, infinite or negative. */
    NOT_A_NUMBER,
    /** The answer is not a series of numbers: a string, a histogram, another type, garbage. */
    UNUSABLE_ANSWER,
    /** The server does not accept the query. */
    QUERY_REFUSED,
    /** The server refuses the credentials, or its certificate is not trusted. */
    ACCESS_DENIED,
    /** No server answers at that address, or one that is not Prometheus. */
    UNREACHABLE,
    /** The server answers that it is overloaded or broken. */
    SERVER_ERROR,
    /** No answer in time. */
    TIMEOUT,
    /** The answer is larger than any that is expected. */
    TOO_LARGE,
    /** The server failed before; requests to it back off. */
    BACKING_OFF,
    /** Samples arrive, but the newest is too old to decide by. */
    STALE,
    /** The value fell because series are gone, so it is not believed for a while. */
    SERIES_LOST
  }
}
