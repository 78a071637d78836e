package io.prescale.adapter.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.identity.Authentication;
import io.prescale.adapter.identity.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private static final Authentication.Known HPA = proxied("horizontal-pod-autoscaler");
  private static final Authentication.Known NONE =
      new Authentication.Known(
          new User("system:anonymous", "", List.of("system:unauthenticated"), Map.of()), false);

  private final InFlight inFlight = new InFlight(400);

  @Test
  void anonymousCallersHoldATwentiethTogether() {
    assertThat(taken(NONE, 400)).isEqualTo(20);
    assertThat(inFlight.take(HPA)).isPresent();
  }

  @Test
  void aProxiedAnonymousCallerIsAnonymous() {
    var proxied = new Authentication.Known(NONE.user(), true);

    assertThat(taken(proxied, 400)).isEqualTo(20);
    assertThat(inFlight.take(NONE)).isEmpty();
  }

  @Test
  void directCallersHoldAHalfTogether() {
    int direct = 0;
    for (int i = 0; i < 1_000; i++) {
      direct += taken(new Authentication.Known(user("robot" + i), false), 10);
    }

    assertThat(direct).isEqualTo(200);
    assertThat(inFlight.take(HPA)).isPresent();
  }

  @Test
  void oneCallerHoldsAHalfAndLeavesRoomForOthers() {
    assertThat(taken(proxied("greedy"), 400)).isEqualTo(200);
    assertThat(taken(proxied("second"), 400)).isEqualTo(100);
    assertThat(taken(HPA, 400)).isEqualTo(50);
  }

  @Test
  void aPlaceIsFreeAgainOnceClosed() {
    var one = new InFlight(1);
    try (var _ = one.take(HPA).orElseThrow()) {
      assertThat(one.take(proxied("other"))).isEmpty();
    }
    assertThat(one.take(proxied("other"))).isPresent();
  }

  private int taken(Authentication.Known caller, int attempts) {
    var places = new ArrayList<InFlight.Place>();
    for (int i = 0; i < attempts; i++) {
      inFlight.take(caller).ifPresent(places::add);
    }
    return places.size();
  }

  private static Authentication.Known proxied(String name) {
    return new Authentication.Known(user(name), true);
  }

  private static User user(String name) {
    return new User(name, "", List.of("system:authenticated"), Map.of());
  }
}
