package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.AdmittedSpecs;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.placement.ledger.Ledger;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the definitions of GpuQueue and GpuBooking admit is read, and stops no other. */
@Timeout(120)
class AdmittedPlacementSpecsTest {
  private static final long SEED = 15;
  private static final int SPECS = 5_000;
  private static final int AT_ONCE = 20;

  private final KubernetesSerialization json = new KubernetesSerialization();

  @Test
  void queuesAreReadAndTheLedgerTakesThem() {
    var reader = new QueueReader();
    var written = new WrittenQueues();
    var ledger = new Ledger(10);

    each(
        "GpuQueue",
        GeneratedCrd.specSchema(GeneratedCrd.queues()),
        resource -> {
          var queue = reader.read(resource);
          assertThat(queue.queue().getSpec()).isNotNull();
          QueueReader.policy(queue.queue());
          ledger.queues(written.seen(queue));
        });

    assertThat(written.seen(reader.read(resource("GpuQueue", 0, Map.of("kind", "Train")))))
        .as("in force beside whatever the others are")
        .anyMatch(it -> it.name().equals("made-0"));
  }

  @Test
  void bookingsAreReadOrSaidToMakeNoSense() {
    var bookings = new Bookings(QueueSource.PRESCALE, new NodeAdmission());
    var readable = new AtomicInteger();

    each(
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

    assertThat(bookings.all()).hasSize(AT_ONCE);
    // Of the others the definition's rules refuse nearly all: no label, an end before the
    // beginning.
    assertThat(readable).hasValueGreaterThan(SPECS / 10);
  }

  private void each(
      String kind, JSONSchemaProps schema, Consumer<GenericKubernetesResource> consumer) {
    var specs = new AdmittedSpecs(SEED);
    for (int i = 0; i < SPECS; i++) {
      var resource = resource(kind, i % AT_ONCE, specs.any(schema));
      assertThatCode(() -> consumer.accept(resource))
          .as("seed %d: %s", SEED, resource)
          .doesNotThrowAnyException();
    }
  }

  private GenericKubernetesResource resource(String kind, int number, Object spec) {
    var object =
        Map.of(
            "apiVersion",
            "placement.prescale.io/v1alpha1",
            "kind",
            kind,
            "metadata",
            Map.of("namespace", "team", "name", "made-" + number, "uid", "uid-" + number),
            "spec",
            spec);
    return json.unmarshal(json.asJson(object), GenericKubernetesResource.class);
  }
}
