package io.prescale.controller.scheduler.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.AdmittedObjects;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.placement.ledger.Ledger;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the definition of GpuQueue admits is read, and stops no other. */
@Timeout(120)
class AdmittedQueueSpecsTest {
  @Test
  void queuesAreReadAndTheLedgerTakesThem() {
    var reader = new QueueReader();
    var written = new WrittenQueues();
    var ledger = new Ledger(10);

    AdmittedObjects.each(
        "GpuQueue",
        GeneratedCrd.specSchema(GeneratedCrd.queues()),
        resource -> {
          var queue = reader.read(resource);
          assertThat(queue.queue().getSpec()).isNotNull();
          QueueReader.policy(queue.queue());
          ledger.queues(written.seen(queue));
        });

    assertThat(
            written.seen(reader.read(AdmittedObjects.of("GpuQueue", 0, Map.of("kind", "Train")))))
        .as("in force beside whatever the others are")
        .anyMatch(it -> it.name().equals("made-0"));
  }
}
