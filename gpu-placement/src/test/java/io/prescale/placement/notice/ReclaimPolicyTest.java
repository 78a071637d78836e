package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReclaimPolicyTest {
  @Test
  void thePodsWishCountsWithinTheQueuesLimit() {
    var policy = new ReclaimPolicy(Mode.ACT, Duration.ofMinutes(5), 10);
    assertThat(policy.graceFor(Optional.empty())).isEqualTo(Duration.ofMinutes(5));
    assertThat(policy.graceFor(Optional.of(Duration.ofMinutes(1))))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(policy.graceFor(Optional.of(Duration.ofHours(9)))).isEqualTo(Duration.ofMinutes(5));
    assertThat(policy.graceFor(Optional.of(Duration.ofSeconds(-1))))
        .isEqualTo(Duration.ofMinutes(5));
  }
}
