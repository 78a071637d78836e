package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.CrdReference;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.chart.ChartValues;
import io.prescale.controller.cli.CommandReference;
import io.prescale.controller.demand.preset.PresetsReference;
import io.prescale.controller.scheduler.extender.ExtenderMetricsReference;
import io.prescale.controller.telemetry.MetricsReference;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Checks that generated files are current, or renews them. */
class GeneratedFilesTest {
  private static final boolean RENEW = Boolean.getBoolean("prescale.renew");

  @Test
  void theDefinitionIsThatOfTheTypes() throws IOException {
    assertCurrent(
        "charts/prescale/crds/predictivehpas.autoscaling.prescale.io.yaml", GeneratedCrd.yaml());
  }

  @Test
  void theDefinitionOfQueuesIsThatOfTheTypes() throws IOException {
    assertCurrent(
        "charts/prescale/crds/gpuqueues.placement.prescale.io.yaml", GeneratedCrd.queues());
    assertCurrent("docs/reference/gpuqueue.md", CrdReference.queues());
  }

  @Test
  void theDefinitionOfBookingsIsThatOfTheTypes() throws IOException {
    assertCurrent(
        "charts/prescale/crds/gpubookings.placement.prescale.io.yaml", GeneratedCrd.bookings());
    assertCurrent("docs/reference/gpubooking.md", CrdReference.bookings());
  }

  @Test
  void theDefinitionOfPlansIsThatOfTheTypes() throws IOException {
    assertCurrent(
        "charts/prescale/crds/capacityplans.placement.prescale.io.yaml", GeneratedCrd.plans());
    assertCurrent("docs/reference/capacityplan.md", CrdReference.plans());
  }

  @Test
  void theReferenceIsThatOfTheDefinition() throws IOException {
    assertCurrent("docs/reference/predictivehpa.md", CrdReference.markdown());
  }

  @Test
  void theReferenceOfThePresetsIsTheirs() throws IOException {
    assertCurrent("docs/reference/presets.md", PresetsReference.markdown());
  }

  @Test
  void theReferenceOfTheMetricsIsTheirs() throws IOException {
    assertCurrent("docs/reference/metrics.md", MetricsReference.markdown());
  }

  @Test
  void theReferenceOfTheExtenderListsItsMetrics() throws IOException {
    var page = "docs/reference/extender.md";
    var text = Files.readString(Checkout.root().resolve(page));
    assertCurrent(page, ExtenderMetricsReference.in(text));
  }

  @Test
  void theReferenceOfTheCommandsIsTheirHelp() throws IOException {
    assertCurrent("docs/reference/commands.md", CommandReference.markdown());
  }

  @Test
  void theValuesOfTheChartAreThoseOfItsSchema() throws IOException {
    assertCurrent("charts/prescale/values.yaml", ChartValues.yaml());
  }

  @Test
  void theReadmeOfTheChartIsThatOfItsValues() throws IOException {
    assertCurrent("charts/prescale/README.md", ChartValues.markdown());
  }

  private static void assertCurrent(String file, String generated) throws IOException {
    var inRepository = Checkout.root().resolve(file);
    if (RENEW) {
      Files.createDirectories(Objects.requireNonNull(inRepository.getParent()));
      Files.writeString(inRepository, generated);
    }
    assertThat(inRepository)
        .as("%s is out of date; renew it with: %s", file, GeneratedCrd.RENEWAL)
        .content()
        .isEqualTo(generated);
  }
}
