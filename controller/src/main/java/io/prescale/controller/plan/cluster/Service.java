package io.prescale.controller.plan.cluster;

import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import java.time.Duration;

/**
 * A workload whose demand is known ahead.
 *
 * @param name namespace and name of its PredictiveHPA
 * @param demand over the steps of the plan
 * @param lead how long before a demand its replicas are created
 */
public record Service(String name, DemandAhead demand, Duration lead, ReplicaPods pods) {}
