package io.prescale.forecasting;

/** Samples on a regular grid, and what had to be done to them. */
public record Gridded(TimeSeries series, IngestReport report) {}
