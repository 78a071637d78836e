package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ViewTest {

  @Test
  void showsWhatWasCompleteBeforeItsMinute() {
    View view = Views.at(3, 1, 5, 2, 9);

    assertThat(view.minute()).isEqualTo(3);
    assertThat(view.time()).isEqualTo(Instant.EPOCH.plusSeconds(180));
    assertThat(view.newest()).hasValue(2);
    assertThat(view.highest(1, 2)).hasValue(5);
    assertThat(view.highest(0, 3)).hasValue(5);
    assertThat(view.last(2)).containsExactly(5, 2);
    assertThat(view.last(99)).containsExactly(1, 5, 2);
    assertThat(view.currentReplicas()).isEqualTo(3);
    assertThat(view.readyReplicas()).isEqualTo(2);
  }

  @Test
  void theMinuteItselfAndWhatFollowsAreOutOfReach() {
    View view = Views.at(3, 1, 5, 2, 9);

    assertThatThrownBy(() -> view.highest(3, 4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> view.highest(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> view.highest(0, 4)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void nothingIsKnownAtFirst() {
    View view = Views.after();

    assertThat(view.newest()).isEmpty();
    assertThat(view.last(5)).isEmpty();
    assertThat(view.highest(0, 0)).isEmpty();
  }

  @Test
  void aMissingObservationIsNotTheHighest() {
    assertThat(Views.after(Double.NaN, 2, Double.NaN, 1).highest(0, 4)).hasValue(2);
    assertThat(Views.after(Double.NaN, Double.NaN).highest(0, 2)).isEmpty();
  }

  @Test
  void changingACopyChangesNothing() {
    View view = Views.after(1, 2);

    view.last(2)[1] = 99;

    assertThat(view.newest()).hasValue(2);
  }
}
