package io.prescale.controller.web;

import java.time.Instant;
import java.util.List;

/**
 * A workload by the minute. All columns are as long as {@code time}; NaN is unknown, or still to
 * come. Quantiles stand at the minute that they are about: they were forecast one lead time before,
 * of the highest demand in the window that begins there.
 *
 * @param metric whose demand it is
 * @param time seconds since the epoch, ascending
 * @param now the beginning of the newest minute that is over
 * @param leadSeconds how far ahead the newest forecast looks
 * @param windowSeconds length of the window that a forecast is about
 */
public record WorkloadSeries(
    String id,
    String metric,
    Instant now,
    long leadSeconds,
    long windowSeconds,
    double capacityPerReplica,
    List<Long> time,
    List<Double> demand,
    List<Double> p50,
    List<Double> p90,
    List<Double> p95,
    List<Double> served,
    List<Double> wanted,
    List<Double> ready,
    List<Double> reactiveReady) {}
