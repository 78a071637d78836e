package io.prescale.controller.scheduler.bookings;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.prescale.controller.api.v1alpha1.AdmittedObjects;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.scheduler.facts.NodeAdmission;
import io.prescale.controller.scheduler.facts.QueueSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the definition of GpuBooking admits is read, and stops no other. */
@Timeout(120)
class AdmittedBookingSpecsTest {
  @Test
  void bookingsAreReadOrSaidToMakeNoSense() {
    var bookings = new Bookings(QueueSource.PRESCALE, new NodeAdmission());
    var readable = new AtomicInteger();

    AdmittedObjects.each(
        "GpuBooking",
        GeneratedCrd.specSchema(GeneratedCrd.bookings()),
        resource -> {
          bookings.seen(resource);
          bookings.current();
          bookings.warm();
          var key = Cache.metaNamespaceKeyFunc(resource);
          var read = bookings.all().stream().filter(it -> it.key().equals(key)).findFirst();
          if (!read.orElseThrow().fault().startsWith("it cannot be read")) {
            readable.incrementAndGet();
          }
        });

    assertThat(bookings.all()).hasSize(AdmittedObjects.AT_ONCE);
    // Of the others the definition's rules refuse nearly all: no label, an end before the
    // beginning.
    assertThat(readable).hasValueGreaterThan(AdmittedObjects.SPECS / 10);
  }
}
