package io.prescale.placement.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NetworkLevelsTest {
  private static final List<String> NAMES = List.of("rack", "block", "zone");
  private static final NetworkLevels NESTED = new NetworkLevels(NAMES, true);
  private static final NetworkLevels FLAT = new NetworkLevels(NAMES, false);

  private static String domain(NetworkLevels levels, String level, Map<String, String> names) {
    var node = new NodeSpec("n", 1, 1, List.of()).withPosition(levels.position(names));
    return levels.scope(level).orElseThrow().domainOf(node);
  }

  @Test
  void racksOfOneNameInTwoBlocksAreTwoRacksWhereLevelsAreNested() {
    var first = Map.of("rack", "r1", "block", "b1", "zone", "z");
    var second = Map.of("rack", "r1", "block", "b2", "zone", "z");

    assertThat(domain(NESTED, "rack", first)).isEqualTo("z/b1/r1");
    assertThat(domain(NESTED, "rack", second)).isEqualTo("z/b2/r1");
    assertThat(domain(FLAT, "rack", first)).isEqualTo(domain(FLAT, "rack", second)).isEqualTo("r1");
  }

  @Test
  void aLevelThatIsNotKnownIsPassedOverAndLeavesTheOthers() {
    var names = Map.of("rack", "r1", "zone", "z", "floor", "3");

    assertThat(domain(NESTED, "rack", names)).isEqualTo("z/r1");
    assertThat(domain(NESTED, "block", names)).isEmpty();
    assertThat(domain(NESTED, "zone", names)).isEqualTo("z");
    assertThat(NESTED.position(Map.of("floor", "3", "rack", ""))).isEqualTo(NodePosition.UNKNOWN);
    assertThat(domain(NESTED, "rack", Map.of())).isEmpty();
  }

  @Test
  void scopesGoFromOneNodeToTheCluster() {
    assertThat(NESTED.scopes())
        .isSorted()
        .extracting(NetworkScope::phrase)
        .containsExactly("one node", "one rack", "one block", "one zone", "the cluster");
    assertThat(NESTED.scope("zone")).contains(NESTED.scopes().get(3));
    assertThat(NESTED.scope("zoen")).isEmpty();
    assertThat(new NetworkLevels(List.of(), false).scopes())
        .containsExactly(NetworkScope.NODE, NetworkScope.CLUSTER);
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new NetworkLevels(List.of("a", "b", "a"), true))
        .hasMessage("two levels have one name in [a, b, a]");
    assertThatThrownBy(() -> new NetworkLevels(List.of("a", " "), true))
        .hasMessageContaining("each with a name");
    var many = IntStream.rangeClosed(0, NetworkLevels.MOST).mapToObj(i -> "l" + i).toList();
    assertThatThrownBy(() -> new NetworkLevels(many, true))
        .hasMessageStartingWith("a network has at most 32 levels");
  }
}
