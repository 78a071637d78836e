package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Of several ways to ask for nodes. */
class WaysToAskTest {
  private final MissingCards scene = new MissingCards();

  private final FakeBuffers requests =
      new FakeBuffers("ProvisioningRequests ask", BookedTemplate::isGang);

  private void gangsWithoutRequests() {
    requests.isServed = false;
    scene.stores = List.of(requests, scene.buffers);
    scene.bookings.targets.put("chat", BookedServices.groups("chat", 2, ""));
    scene.look(at("07:00"));
    scene.missing(2, 3);
  }

  /** An autoscaler may have learned it since. The nodes have come, and nothing is missing. */
  @Test
  void whatIsBetterGoesOnWithWhatWasHeldAndOnlyThenTheOtherEnds() {
    gangsWithoutRequests();
    assertThat(scene.look(at("07:50")).message())
        .endsWith("A CapacityBuffer asks for nodes for 3 replicas.");
    scene.missing(0, 3);

    requests.isServed = true;
    requests.unreachable.add("chat");
    scene.look(at("07:51"));
    assertThat(scene.buffers.buffers)
        .as("nothing else holds")
        .hasEntrySatisfying("chat", it -> assertThat(it.replicas()).isEqualTo(3));
    requests.unreachable.clear();
    assertThat(scene.look(at("07:52")).message())
        .endsWith("ProvisioningRequests ask for nodes for 3 replicas.");
    assertThat(requests.log).containsExactly("apply chat 3");
    assertThat(scene.buffers.log).containsExactly("release chat");
    scene.look(at("07:53"));
    assertThat(scene.buffers.log).containsExactly("delete chat");
  }

  @Test
  void whatSuitsNoneIsNotAskedFor() {
    scene.stores = List.of(requests);
    scene.look(at("07:00"));
    scene.missing(2, 3);

    assertThat(scene.look(at("07:50")).message()).contains("has nothing by which an autoscaler");
    assertThat(requests.log).isEmpty();
  }

  @Test
  void withoutAnyItIsSaidWhatWouldHelp() {
    scene.buffers.isServed = false;

    assertThat(scene.look(at("07:50")).message())
        .endsWith("bookings.buffers of the chart says what there is.");
  }

  @Test
  void whatItsBookingCannotOwnEndsWithItWhereAllBookingsAreKnown() {
    scene.look(at("07:50"));
    assertThat(scene.buffers.retained).containsExactly("booking-chat");

    scene.bookings.unreachable.add("chat");
    scene.buffers.retained.clear();
    scene.look(at("07:51"));
    assertThat(scene.buffers.retained).isEmpty();
  }
}
