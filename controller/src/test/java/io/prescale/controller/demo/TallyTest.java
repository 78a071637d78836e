package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void sharesAreTheServicesMeanAndHoursTheirSum() {
    var tally =
        new Tally(
            List.of(
                new Tally.Service("chat", 0.25, 0.5, 10, 12),
                new Tally.Service("speech", 0, 0.25, 5, 4)),
            7);

    assertThat(tally.shortShare()).isEqualTo(0.125);
    assertThat(tally.reactiveShortShare()).isEqualTo(0.375);
    assertThat(tally.replicaHours()).isEqualTo(15);
    assertThat(tally.reactiveReplicaHours()).isEqualTo(16);
    assertThat(new Tally(List.of(), 0).shortShare()).isZero();
  }
}
