package io.prescale.controller.page;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.replay.ReplaySettings;
import io.prescale.controller.source.MetricQuery;

/**
 * What is replayed.
 *
 * @param query gives the demand by the minute
 * @param settings of the HPA and of cold starts
 * @param risk that forecasts are judged by
 * @param source where the demand comes from, for the report
 */
public record ReplaySubject(MetricQuery query, ReplaySettings settings, Risk risk, String source) {}
