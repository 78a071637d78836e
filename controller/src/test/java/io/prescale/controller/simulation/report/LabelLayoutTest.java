package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.report.LabelLayout.Box;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LabelLayoutTest {

  private static final Box BOUNDS = new Box(0, 0, 600, 400);

  private final LabelLayout layout = new LabelLayout(BOUNDS, 12);

  @Test
  void standsToTheRightWhenThereIsRoom() {
    Box place = layout.place("Prescale", 100, 100).orElseThrow();

    assertThat(place.left()).isEqualTo(110);
    assertThat((place.top() + place.bottom()) / 2).isEqualTo(100);
  }

  @Test
  void standsToTheLeftAtTheRightEdge() {
    assertThat(layout.place("Prescale", 590, 100).orElseThrow().right()).isEqualTo(580);
  }

  @Test
  void isLeftOutWhereThereIsNoRoom() {
    layout.keepFree(BOUNDS);

    assertThat(layout.place("Prescale", 100, 100)).isEmpty();
    assertThat(new LabelLayout(BOUNDS, 12).place("x".repeat(200), 300, 200)).isEmpty();
  }

  static IntStream seeds() {
    return IntStream.range(0, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noLabelCoversAnotherOrAPoint(int seed) {
    var random = new SplittableRandom(seed);
    var taken = new ArrayList<Box>();
    double[] xs = random.doubles(15, 20, 580).toArray();
    double[] ys = random.doubles(15, 20, 380).toArray();
    for (int i = 0; i < xs.length; i++) {
      taken.add(Box.around(xs[i], ys[i], 6));
      layout.keepFree(taken.get(i));
    }

    for (int i = 0; i < xs.length; i++) {
      Optional<Box> place = layout.place("policy number " + i, xs[i], ys[i]);

      place.ifPresent(
          box -> {
            assertThat(taken).noneMatch(box::overlaps);
            assertThat(BOUNDS.holds(box)).isTrue();
            taken.add(box);
          });
    }
    assertThat(taken).hasSizeGreaterThan(25);
  }
}
