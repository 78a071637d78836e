package io.prescale.controller.demo;

/**
 * What has come of it so far, over all workloads: shares of the last day's time are 0 to 1, and the
 * workloads' mean.
 */
public record Tally(
    double shortShare,
    double reactiveShortShare,
    double replicaHours,
    double reactiveReplicaHours) {}
