package io.prescale.controller.web;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A workload by the minute. All columns are as long as {@code time}; an empty entry is unknown, or
 * still to come. Quantiles stand at the minute that they are about: they were forecast one lead
 * time before, of the highest demand in the window that begins there.
 *
 * @param metric whose demand it is
 * @param served what the metrics API answered an HPA
 * @param time seconds since the epoch, ascending
 * @param now the beginning of the newest minute that is over
 * @param leadSeconds how far ahead the newest forecast looks
 * @param marks what happened in the time shown, ascending
 * @param windowSeconds length of the window that a forecast is about
 */
public record WorkloadSeries(
    String id,
    String metric,
    Instant now,
    long leadSeconds,
    long windowSeconds,
    OptionalDouble capacityPerReplica,
    List<Long> time,
    List<OptionalDouble> demand,
    List<OptionalDouble> p50,
    List<OptionalDouble> p90,
    List<OptionalDouble> p95,
    List<OptionalDouble> served,
    List<OptionalDouble> wanted,
    List<OptionalDouble> ready,
    List<OptionalDouble> reactiveReady,
    List<Mark> marks) {}
