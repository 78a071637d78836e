package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.ConsumableCapacity.Policy;
import io.prescale.placement.claims.ConsumableCapacity.Range;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsumableCapacityTest {
  private static final BigDecimal ALL = new BigDecimal(80);

  @Test
  void takesAllWhereNothingIsSaid() {
    assertThat(new ConsumableCapacity(ALL, Optional.empty()).portion(Optional.empty()))
        .contains(ALL);
  }

  @Test
  void takesTheUsualPortionWhereTheClaimSaysNothing() {
    var policy = new Policy(Optional.of(BigDecimal.TEN), Optional.empty(), List.of());

    assertThat(new ConsumableCapacity(ALL, Optional.of(policy)).portion(Optional.empty()))
        .contains(BigDecimal.TEN);
  }

  @ParameterizedTest
  @CsvSource({"-5,4", "0,4", "4,4", "4.1,6", "5,6", "6,6", "19.5,20", "20,20", "20.1,", "1e30,"})
  void roundsUpToTheNextStepOfARange(BigDecimal asked, BigDecimal portion) {
    var range = new Range(new BigDecimal(4), number("20"), number("2"));

    var found = capacity(Optional.of(range), List.of()).portion(Optional.of(asked));

    assertThat(found.map(BigDecimal::intValueExact))
        .isEqualTo(Optional.ofNullable(portion).map(BigDecimal::intValueExact));
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "1.5,10", "11,40", "41,"})
  void takesTheLeastValueThatIsEnough(BigDecimal asked, BigDecimal portion) {
    var values = List.of(BigDecimal.ONE, BigDecimal.TEN, new BigDecimal(40));

    assertThat(capacity(Optional.empty(), values).portion(Optional.of(asked)))
        .isEqualTo(Optional.ofNullable(portion));
  }

  @Test
  void aStepOfZeroIsNoStep() {
    var range = new Range(BigDecimal.ONE, Optional.empty(), number("0"));

    assertThat(capacity(Optional.of(range), List.of()).portion(number("7.5")))
        .isEqualTo(number("7.5"));
  }

  private static ConsumableCapacity capacity(Optional<Range> range, List<BigDecimal> values) {
    return new ConsumableCapacity(ALL, Optional.of(new Policy(Optional.empty(), range, values)));
  }

  private static Optional<BigDecimal> number(String text) {
    return Optional.of(new BigDecimal(text));
  }
}
