/**
 * Queries for the demand of model servers and for the capacity of one replica. They count present
 * work, running or waiting; never a utilisation, which is the same at capacity and at twice the
 * capacity.
 *
 * <p>To add a server, write a class such as {@code Vllm}, its case in {@code Presets.of} and its
 * name in {@code PresetName}; without tokens also in the rule of {@code MetricEntry} about {@code
 * signal}. Then add a page of its metrics to the test resources ({@code expositions}) with a case
 * in {@code ServedPresetsTest}, a row to the table "Model servers" in {@code docs/tuning.md}, and
 * renew the references and the CRD with {@code GeneratedFilesTest}.
 */
@NullMarked
package io.prescale.controller.demand.preset;

import org.jspecify.annotations.NullMarked;
