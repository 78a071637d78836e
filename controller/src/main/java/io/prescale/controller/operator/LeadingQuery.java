package io.prescale.controller.operator;

import io.prescale.controller.demand.source.MetricQuery;

/**
 * A query for a series that may show a metric's demand before it comes.
 *
 * @param metric whose demand it may show
 * @param name of the series
 */
public record LeadingQuery(String metric, String name, MetricQuery query) {}
