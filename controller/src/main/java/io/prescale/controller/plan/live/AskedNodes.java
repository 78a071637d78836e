package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.plan.NodeLeads;
import java.time.Duration;

/**
 * What an autoscaler was asked for, for one workload.
 *
 * @param replicas for which it holds room, or adds nodes
 * @param sentence about it; empty if there is nothing to say
 * @param leads what is known of how long nodes take
 */
record AskedNodes(int replicas, String sentence, NodeLeads leads) {
  BookingStatus in(BookingStatus status) {
    return new BookingStatus(
        status.reason(),
        status.replicas(),
        status.from(),
        status.percent(),
        replicas == 0 ? null : replicas,
        leads.measured().stream().map(Duration::toSeconds).toList(),
        sentence.isEmpty() ? status.message() : status.message() + " " + sentence);
  }
}
