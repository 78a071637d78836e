/**
 * Queues: GpuQueues and those of other systems, from watches to the ledger and back to statuses,
 * marks on pods, metrics and the page.
 */
@NullMarked
package io.prescale.controller.scheduler.queues;

import org.jspecify.annotations.NullMarked;
