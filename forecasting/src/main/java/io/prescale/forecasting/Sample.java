package io.prescale.forecasting;

import java.time.Instant;

/**
 * One raw observation, as a file or a server delivered it: any time, any value.
 *
 * @param value may be NaN or infinite, which ingestion counts and treats as missing
 */
public record Sample(Instant time, double value) {}
