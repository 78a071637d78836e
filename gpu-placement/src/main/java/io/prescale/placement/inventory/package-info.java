/**
 * What devices a cluster has and who uses them, read from the formats in which device plugins and
 * schedulers write it down. Pure functions from text to the model of {@code gpu-placement}: nothing
 * here talks to an API server.
 */
@NullMarked
package io.prescale.placement.inventory;

import org.jspecify.annotations.NullMarked;
