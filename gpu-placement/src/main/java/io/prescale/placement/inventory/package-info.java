/**
 * The devices of a cluster and the pods that use them, read from the formats of device plugins and
 * schedulers. Pure functions from text to the model of {@code gpu-placement}: nothing here talks to
 * an API server.
 *
 * <p>Cards that HAMi registers: {@code Families}. Devices that are only counted: {@code
 * NodeInventory.isCounted} and {@code GpuLabels}.
 */
@NullMarked
package io.prescale.placement.inventory;

import org.jspecify.annotations.NullMarked;
