package io.prescale.controller.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairPlacesTest {
  @Test
  void firstComeFirstServedWithinANamespaceAndNamespacesTakeTurns() {
    var places = new FairPlaces<String>(1);
    for (int i = 1; i <= 4; i++) {
      places.await("many", "many-" + i);
    }
    places.await("one", "one-1");
    places.await("two", "two-1");
    places.await("two", "two-2");

    assertThat(servedOneByOne(places, 7))
        .containsExactly("many-1", "one-1", "two-1", "many-2", "two-2", "many-3", "many-4");
    assertThat(places.next()).isEmpty();
    assertThat(places.areAllFree()).isTrue();
  }

  @Test
  void oneThatMayHaveNoMoreIsPassedOver() {
    var places = new FairPlaces<String>(4);
    for (int i = 1; i <= 10; i++) {
      places.await("hanging", "hanging-" + i);
    }
    assertThat(granted(places)).containsExactly("hanging-1", "hanging-2");

    places.await("other", "other-1");
    places.await("third", "third-1");
    assertThat(granted(places)).containsExactly("other-1", "third-1");
  }

  @Test
  void whatIsWithdrawnGetsNoPlace() {
    var places = new FairPlaces<String>(2);
    places.await("a", "first");
    places.await("a", "second");

    assertThat(places.withdraw("a", "first")).isTrue();
    assertThat(places.withdraw("a", "first")).isFalse();
    assertThat(granted(places)).containsExactly("second");
    assertThat(places.withdraw("a", "second")).as("it has its place").isFalse();
    assertThat(places.withdraw("b", "unknown")).isFalse();
  }

  private static List<String> servedOneByOne(FairPlaces<String> places, int times) {
    var served = new ArrayList<String>();
    for (int i = 0; i < times; i++) {
      var next = places.next().orElseThrow();
      served.add(next);
      places.end(next.substring(0, next.indexOf('-')));
    }
    return served;
  }

  private static List<String> granted(FairPlaces<String> places) {
    var granted = new ArrayList<String>();
    for (Optional<String> next = places.next(); next.isPresent(); next = places.next()) {
      granted.add(next.get());
    }
    return granted;
  }
}
