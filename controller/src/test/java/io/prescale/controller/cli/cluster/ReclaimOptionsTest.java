package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.cli.options.UsageException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The address to which notices are posted. */
class ReclaimOptionsTest {
  private final ReclaimOptions options = new ReclaimOptions();

  @Test
  void withoutOneNothingIsPosted() {
    assertThat(options.webhook()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://example.com/hook?secret=1", "http://hooks.team.svc:8080"})
  void anAddressOfTheWebIsTaken(String address) {
    options.webhook = address;

    assertThat(options.webhook()).contains(URI.create(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hook",
        "ftp://secret",
        "file:///secret",
        "https://",
        "https://a secret",
        "https://secret:0/",
        "https://secret:65536/"
      })
  void anyOtherIsRefusedAndNotRepeated(String address) {
    options.webhook = address;

    assertThatThrownBy(options::webhook)
        .isInstanceOf(UsageException.class)
        .hasMessage("--reclaim-webhook is no URL that begins with https:// or http://.");
  }
}
