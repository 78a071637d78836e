package io.prescale.controller.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MetricsReferenceTest {

  /** To make the page anew, run this test with {@code -Dprescale.writeReference=true}. */
  @Test
  void thePageIsWhatTheProgramHas() throws IOException {
    Path page = Checkout.root().resolve("docs/reference/metrics.md");
    if (Boolean.getBoolean("prescale.writeReference")) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, MetricsReference.markdown());
    }

    assertThat(page).content().isEqualTo(MetricsReference.markdown());
  }
}
