package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class CardConditionTest {
  private static final Instant NOW = Instant.EPOCH;
  private final Ledger ledger = new Ledger(10);

  @Test
  void aCardThatItsExporterCallsSickIsAvoidedUntilItIsWell() {
    ledger.seen(Nodes.a100("n", 1));
    ledger.conditions(Map.of("GPU-n-0", sick(79), "GPU-elsewhere", sick(48)));

    assertThat(candidates()).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.problems().get("n"))
        .containsExactly("card GPU-n-0 is not used: its last XID error is 79.");
    assertThat(ledger.uses().getFirst().usable()).isFalse();

    ledger.conditions(Map.of());

    assertThat(candidates()).isEqualTo(new Candidates.Nodes(List.of("n")));
    assertThat(ledger.problems()).isEmpty();
  }

  @Test
  void aSickCardKeepsWhatItHoldsAndACordonStays() {
    ledger.seen(Nodes.a100("n", 2, Map.of("hami.io/device-cordon", "GPU-n-1")));
    ledger.seen(
        Pods.bound(
            Pods.asking("p", Map.of("nvidia.com/gpu", 1L)),
            "n",
            Map.of("hami.io/vgpu-devices-allocated", "GPU-n-0,NVIDIA,8192,10:;")));

    ledger.conditions(Map.of("GPU-n-0", sick(79), "GPU-n-1", well(60)));

    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(8192);
    assertThat(ledger.uses()).extracting(CardUse::usable).containsExactly(false, false);
    assertThat(ledger.uses().getFirst().milli()).isEqualTo(100);
  }

  @Test
  void theCoolerOfTwoCardsIsTaken() {
    ledger.seen(Nodes.a100("n", 2));
    ledger.conditions(Map.of("GPU-n-0", well(95)));

    candidates();

    assertThat(ledger.uses().get(0).parts()).isEmpty();
    assertThat(ledger.uses().get(1).parts()).hasSize(1);
  }

  private Candidates candidates() {
    var pod = Pods.asking("new", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L));
    return ledger.candidates(pod, List.of("n"), true, NOW, _ -> 0);
  }

  @Test
  void onlyWhatMattersToPlacementIsAChange() {
    var before = Map.of("a", well(60), "b", well(60), "c", well(60));
    var now = Map.of("a", well(61), "b", well(90), "d", well(60));

    assertThat(CardCondition.changed(before, now)).containsExactlyInAnyOrder("b", "c", "d");
  }

  @Test
  void koordinatorsCardsAreCountedAndNobodyElseGetsThem() {
    ledger.seen(Nodes.a100("n", 1));
    var device =
        "{\"devices\":[{\"type\":\"gpu\",\"id\":\"GPU-k\",\"health\":true,"
            + "\"resources\":{\"koordinator.sh/gpu-memory\":\"8Gi\"}}]}";
    ledger.koordinatorSeen("n", Optional.of(device));
    ledger.seen(
        Pods.bound(
            Pods.asking("k", Map.of("koordinator.sh/gpu-core", 50L)),
            "n",
            Map.of(
                "scheduling.koordinator.sh/device-allocated",
                "{\"gpu\":[{\"minor\":0,\"resources\":{\"koordinator.sh/gpu-core\":\"50\"}}]}")));

    assertThat(ledger.totals().cards()).isEqualTo(2);
    assertThat(ledger.uses()).extracting(CardUse::usable).containsExactlyInAnyOrder(true, false);
    assertThat(ledger.totals().heldMilli()).isEqualTo(500);
    candidates();
    assertThat(ledger.totals().heldMemoryMib()).as("of the A100").isEqualTo(100);

    ledger.koordinatorSeen("n", Optional.empty());

    assertThat(ledger.totals().cards()).isEqualTo(1);
    ledger.koordinatorSeen("unknown", Optional.of("nonsense"));
    assertThat(ledger.problems())
        .isEqualTo(
            Map.of(
                "n",
                List.of(
                    "scheduling.koordinator.sh/device-allocated of pod default/k is not counted: it"
                        + " names GPU 0; the node has 0 of Koordinator's.")));
  }

  private static CardReading sick(int xid) {
    return new CardReading(
        GpuHealth.UNKNOWN.withState(State.UNHEALTHY).withErrors(0, 0, List.of(xid)),
        OptionalInt.empty(),
        Optional.of("its last XID error is " + xid));
  }

  private static CardReading well(int celsius) {
    return new CardReading(
        GpuHealth.UNKNOWN.withTemperature(celsius), OptionalInt.of(10), Optional.empty());
  }
}
