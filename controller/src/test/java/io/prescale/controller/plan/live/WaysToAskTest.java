package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Of several ways to ask for nodes. */
class WaysToAskTest {
  private final MissingCards scene = new MissingCards();

  /** An autoscaler may have learned it since, or the target may have become a gang. */
  @Test
  void whatIsBetterAsksAndWhatAskedBeforeEnds() {
    var requests = new FakeBuffers("A ProvisioningRequest for each asks", BookedTemplate::isGang);
    requests.isServed = false;
    scene.stores = List.of(requests, scene.buffers);
    scene.bookings.targets.put("chat", BookedServices.groups("chat", 2, ""));
    scene.look(at("07:00"));
    scene.missing(2, 3);
    assertThat(scene.look(at("07:50")).message())
        .endsWith("A CapacityBuffer asks for nodes for 3 replicas.");

    requests.isServed = true;
    assertThat(scene.look(at("07:51")).message())
        .endsWith("A ProvisioningRequest for each asks for nodes for 3 replicas.");
    assertThat(scene.buffers.log).containsExactly("release chat");
    assertThat(requests.log).containsExactly("apply chat 3");
    scene.look(at("07:52"));
    assertThat(scene.buffers.log).containsExactly("delete chat");
  }

  @Test
  void withoutAnyItIsSaidWhatWouldHelp() {
    scene.buffers.isServed = false;

    assertThat(scene.look(at("07:50")).message())
        .endsWith("bookings.buffers.balloons of the chart has pods ask.");
  }
}
