package io.prescale.placement.preference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PackingByPriorityTest {
  private static final RequestShape WHOLE = RequestShape.of(1, GpuDemand.WholeGpu.ANY);
  private static final RequestShape TENTH = RequestShape.of(1, new GpuDemand.Fraction(100));

  private final PackingByPriority practice = new PackingByPriority(1000, 500);

  private PackingPolicy packing(RequestShape shape, int priority, Optional<String> gang) {
    var request = new GpuRequest("r", shape, new Standing("q", priority, false, gang));
    return practice.applyTo(request).shape().packing();
  }

  @Test
  void highPrioritySpreadsOverNodes() {
    assertThat(packing(WHOLE, 1000, Optional.empty()))
        .isEqualTo(new PackingPolicy(Direction.SPREAD, Direction.DEFAULT));
    assertThat(packing(WHOLE, 999, Optional.empty())).isEqualTo(PackingPolicy.DEFAULT);
  }

  @Test
  void smallSharesArePackedOnCards() {
    assertThat(packing(TENTH, 0, Optional.empty()))
        .isEqualTo(new PackingPolicy(Direction.DEFAULT, Direction.BINPACK));
    assertThat(packing(RequestShape.of(1, new GpuDemand.Share(501, 1)), 0, Optional.empty()))
        .isEqualTo(PackingPolicy.DEFAULT);
  }

  @Test
  void gangsArePackedOnNodesAndSpreadOverCards() {
    assertThat(packing(TENTH, 2000, Optional.of("train")))
        .isEqualTo(new PackingPolicy(Direction.BINPACK, Direction.SPREAD));
  }

  @Test
  void whatTheRequestAsksForIsKept() {
    var asked = TENTH.withPacking(new PackingPolicy(Direction.BINPACK, Direction.SPREAD));

    assertThat(packing(asked, 2000, Optional.empty())).isEqualTo(asked.packing());
    assertThatThrownBy(() -> new PackingByPriority(0, 1001))
        .hasMessage("the largest small share is 0 to 1000 thousandths of a card, not 1001");
  }
}
