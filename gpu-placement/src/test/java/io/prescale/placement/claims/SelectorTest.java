package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.Device.Attribute;
import io.prescale.placement.claims.Device.Attribute.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
  private static final Device DEVICE =
      new Device(
          "gpu-0",
          Map.of(
              "gpu.example.com/type", Attribute.text("gpu && more"),
              "gpu.example.com/numa", new Attribute(Kind.NUMBER, "1"),
              "gpu.example.com/ecc", new Attribute(Kind.FLAG, "true")),
          Map.of(),
          true,
          List.of(),
          false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "device.driver == 'gpu.example.com'",
        "device.driver==\"gpu.example.com\"&&device.allowMultipleAllocations",
        " device.allowMultipleAllocations == true ",
        "device.attributes[\"gpu.example.com\"].type == 'gpu && more'",
        "device.attributes['gpu.example.com']['type'] == \"gpu && more\"",
        "device.attributes['gpu.example.com'].numa == 1\n"
            + "&& device.attributes['gpu.example.com'].ecc == true",
      })
  void acceptsWhatIsEqual(String expression) {
    assertThat(accepts(expression)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "device.driver == 'other'",
        "!device.allowMultipleAllocations",
        "device.allowMultipleAllocations == false",
        "device.attributes['gpu.example.com'].type == 'gpu'",
        "device.attributes['gpu.example.com'].numa == '1'",
        "device.attributes['gpu.example.com'].ecc == 1",
        "device.attributes['other.example.com'].numa == 1",
        "device.attributes['gpu.example.com'].missing == true",
      })
  void refusesWhatIsNot(String expression) {
    assertThat(accepts(expression)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "true",
        "false",
        "device.driver != 'a'",
        "device.driver == 'a' || device.driver == 'b'",
        "device.driver == 'a\\'b'",
        "device.driver == 'a",
        "(device.driver == 'a')",
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('10Gi')) >= 0",
        "device.attributes['gpu.example.com'].type.matches('(a+)+$')",
        "device.attributes['gpu.example.com'].numa == 9999999999999999999999",
        "device.driver == 'a' && ",
      })
  void doesNotGuessAtMore(String expression) {
    assertThat(Selector.parse(expression)).isEmpty();
  }

  @Test
  void aHugeExpressionIsNotRead() {
    assertThat(Selector.parse("device.driver == '" + "x".repeat(1 << 20) + "'")).isEmpty();
  }

  @Test
  void pinsOneCardOrSeveral() {
    assertThat(Selector.pin("gpu.example.com", List.of("GPU-1")))
        .isEqualTo(
            "device.driver == \"gpu.example.com\""
                + " && device.attributes[\"gpu.example.com\"].uuid == \"GPU-1\"");
    assertThat(Selector.pin("gpu.example.com", List.of("GPU-1", "GPU-2")))
        .endsWith("uuid in [\"GPU-1\", \"GPU-2\"]");
  }

  private static boolean accepts(String expression) {
    return Selector.parse(expression).orElseThrow().accepts("gpu.example.com", DEVICE);
  }
}
