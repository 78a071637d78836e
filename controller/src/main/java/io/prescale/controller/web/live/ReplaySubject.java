package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.simulation.replay.ReplaySettings;

/**
 * The subject of a replay, or of a forecast of the next day.
 *
 * @param metric name of the demand
 * @param query query for the demand by the minute
 * @param settings settings of the HPA and of cold starts
 * @param risk risk for which forecasts are made
 * @param forecast how demand is forecast: its time zone and declared events
 * @param source where the demand comes from, for the report
 */
public record ReplaySubject(
    String metric,
    MetricQuery query,
    ReplaySettings settings,
    Risk risk,
    ForecastSettings forecast,
    String source) {}
