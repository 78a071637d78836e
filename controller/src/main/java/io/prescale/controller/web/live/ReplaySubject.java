package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.simulation.replay.ReplaySettings;

/**
 * What is replayed.
 *
 * @param query gives the demand by the minute
 * @param settings of the HPA and of cold starts
 * @param risk that forecasts are judged by
 * @param source where the demand comes from, for the report
 */
public record ReplaySubject(MetricQuery query, ReplaySettings settings, Risk risk, String source) {}
