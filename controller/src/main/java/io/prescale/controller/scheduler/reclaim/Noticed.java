package io.prescale.controller.scheduler.reclaim;

import java.time.Instant;

/**
 * A pod that has notice.
 *
 * @param until when its notice has run out
 * @param claim the pod or gang that needs its cards
 */
public record Noticed(String pod, String queue, Instant until, String claim) {}
