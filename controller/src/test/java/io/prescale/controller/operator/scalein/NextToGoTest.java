package io.prescale.controller.operator.scalein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.operator.scalein.Candidate.Mark;
import io.prescale.controller.operator.scalein.NextToGo.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NextToGoTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");

  @Test
  void thePodsWithTheLeastWorkGoFirst() {
    var pods = List.of(pod("a", 7), pod("b", 0), pod("c", 30), pod("d", 3));

    assertThat(writes(pods, 2)).containsExactly("b=-100", "d=-99");
  }

  @Test
  void withoutAScaleInNearNoPodIsMarked() {
    assertThat(writes(List.of(pod("a", 7), pod("b", 0)), 0)).isEmpty();
    assertThat(writes(List.of(), 3)).isEmpty();
  }

  @Test
  void aPodWhoseWorkIsUnknownIsNeverMarkedAndLosesItsMark() {
    var pods = List.of(unknown("a"), pod("b", 5), marked("c", OptionalDouble.empty(), -100, NOON));

    assertThat(writes(pods, 3)).containsExactly("c=", "b=-100");
    assertThat(writes(List.of(unknown("a")), 1)).isEmpty();
  }

  @Test
  void anOrderThatLosesLittleMoreStays() {
    var pods = List.of(marked("a", 11, -100), pod("b", 10), pod("c", 24), pod("d", 35));
    assertThat(writes(pods, 1)).as("one request more, of 20 on average").isEmpty();

    var changed = List.of(marked("a", 14, -100), pod("b", 10), pod("c", 21), pod("d", 35));
    assertThat(writes(changed, 1)).containsExactly("a=", "b=-100");
  }

  @Test
  void anIdlePodIsPreferredToOneWithAnyWorkWhereAllHaveLittle() {
    var pods = List.of(marked("a", 1, -100), pod("b", 0), pod("c", 2));

    assertThat(writes(pods, 1)).containsExactly("a=", "b=-100");
  }

  @Test
  void aSmallerScaleInThanExpectedLosesLittleToo() {
    var pods = List.of(marked("a", 20, -100), marked("b", 0, -99), pod("c", 40));

    assertThat(writes(pods, 2)).as("the two are right, their order is not").hasSize(2);
    assertThat(writes(pods, 2)).containsExactly("b=-100", "a=-99");
  }

  @Test
  void whenMoreMayGoThoseThatAreMarkedStay() {
    var pods = List.of(marked("a", 1, -100), pod("b", 2), pod("c", 9));

    assertThat(writes(pods, 2)).containsExactly("b=-99");
    assertThat(writes(List.of(marked("a", 1, -100), marked("b", 2, -99)), 1)).isEmpty();
  }

  @Test
  void marksThatNoScaleInNeedsAreRemovedAfterAWhile() {
    var young = marked("a", OptionalDouble.of(1), -100, NOON.minus(Duration.ofMinutes(9)));
    var old = marked("b", OptionalDouble.of(1), -99, NOON.minus(Duration.ofMinutes(10)));

    assertThat(writes(List.of(young, old, pod("c", 0)), 0)).containsExactly("b=");
    assertThat(NextToGo.removed(List.of(young, old), NOON)).hasSize(2);
  }

  @Test
  void ofAHugeScaleInAHundredPodsAreMarked() {
    var pods = IntStream.range(0, 500).mapToObj(i -> pod("pod-%03d".formatted(i), i)).toList();

    var writes = writes(pods, 450);

    assertThat(writes).hasSize(100).startsWith("pod-000=-100").endsWith("pod-099=-1");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, -1, Double.POSITIVE_INFINITY})
  void noWorkIsNoNumber(double work) {
    assertThatThrownBy(() -> pod("a", work)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Whatever changes, the pods that a ReplicaSet would remove have about the least work. */
  @Test
  void whateverTheLoadDoesAScaleInOfAnySizeLosesLittle() {
    var random = new SplittableRandom(17);
    for (int round = 0; round < 300; round++) {
      var marks = new TreeMap<String, Mark>();
      int writes = 0;
      for (int tick = 0; tick < 10; tick++) {
        var pods = new ArrayList<Candidate>();
        for (int i = 0; i < 8; i++) {
          var name = "pod-" + i;
          var work =
              random.nextInt(6) == 0
                  ? OptionalDouble.empty()
                  : OptionalDouble.of(random.nextInt(20));
          pods.add(new Candidate(name, name, work, Optional.ofNullable(marks.get(name))));
        }
        int leaving = 1 + random.nextInt(7);
        for (Write write : NextToGo.writes(pods, leaving, NOON)) {
          writes++;
          if (write.cost().isPresent()) {
            marks.put(write.pod().name(), new Mark(write.cost().getAsInt(), NOON));
          } else {
            marks.remove(write.pod().name());
          }
        }
        assertThatScaleInsLoseLittle(pods, marks, leaving);
      }
      assertThat(writes).isLessThanOrEqualTo(10 * 2 * 8);
    }
  }

  private static void assertThatScaleInsLoseLittle(
      List<Candidate> pods, Map<String, Mark> marks, int leaving) {
    var known = pods.stream().filter(Candidate::isKnown).toList();
    var least = known.stream().mapToDouble(Candidate::knownWork).sorted().toArray();
    double mean = known.stream().mapToDouble(Candidate::knownWork).average().orElse(0);
    var order =
        pods.stream()
            .sorted(
                Comparator.comparingInt(
                    pod -> marks.containsKey(pod.name()) ? marks.get(pod.name()).cost() : 0))
            .toList();
    double lost = 0;
    double best = 0;
    for (int i = 0; i < Math.min(leaving, known.size()); i++) {
      lost += order.get(i).knownWork();
      best += least[i];
      assertThat(lost - best).isLessThanOrEqualTo(0.1 * mean + 1e-9);
    }
  }

  private static List<String> writes(List<Candidate> pods, int leaving) {
    return NextToGo.writes(pods, leaving, NOON).stream()
        .map(
            it ->
                it.pod().name()
                    + "="
                    + (it.cost().isPresent() ? Integer.toString(it.cost().getAsInt()) : ""))
        .toList();
  }

  private static Candidate pod(String name, double work) {
    return new Candidate(name, name, OptionalDouble.of(work), Optional.empty());
  }

  private static Candidate unknown(String name) {
    return new Candidate(name, name, OptionalDouble.empty(), Optional.empty());
  }

  private static Candidate marked(String name, double work, int cost) {
    return marked(name, OptionalDouble.of(work), cost, NOON);
  }

  private static Candidate marked(String name, OptionalDouble work, int cost, Instant since) {
    return new Candidate(name, name, work, Optional.of(new Mark(cost, since)));
  }
}
