package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.MORNING;
import static io.prescale.controller.plan.live.BookedServices.UNKNOWN;
import static io.prescale.controller.plan.live.BookedServices.at;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * What autoscalers are asked for: three replicas are created at 07:55, and for two of them cards
 * are missing; nodes are taken to need ten minutes.
 */
class BufferRoundTest {
  static final BufferSettings EIGHT =
      new BufferSettings(
          Duration.ofMinutes(10),
          8,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          Optional.empty());

  private static final String SHAPE =
      BookedTemplate.of(deployment("chat", 1)).orElseThrow().digest();

  private static final Buffer ANOTHERS =
      new Buffer(false, SHAPE, new Held(7, Optional.empty(), Optional.empty()), Optional.empty());

  private final MissingCards scene = new MissingCards();

  /** For the three of 07:55, or fewer. */
  private static Buffer buffer(int replicas, Optional<Instant> askedSince) {
    return new Buffer(
        true, SHAPE, new Held(replicas, Optional.of(at("07:55")), Optional.empty()), askedSince);
  }

  private Buffer buffer() {
    return Objects.requireNonNull(scene.buffers.buffers.get("chat"));
  }

  @Test
  void nodesAreAskedForOnceAndInTime() {
    var early = scene.look(at("07:44"));
    assertThat(scene.buffers.log).isEmpty();
    assertThat(early.buffer()).isNull();
    assertThat(early.message())
        .endsWith(
            "For those whose cards are missing, nodes are asked for at Tue 07:45 UTC; one takes 10"
                + " min.");

    var status = scene.look(at("07:45"));

    assertThat(scene.buffers.log).containsExactly("apply chat 3");
    assertThat(buffer()).isEqualTo(buffer(3, Optional.of(at("07:45"))));
    assertThat(status.buffer()).isEqualTo(3);
    assertThat(status.message()).endsWith("A CapacityBuffer asks for nodes for 3 replicas.");
    assertThat(scene.look(at("07:46")).buffer()).isEqualTo(3);
    assertThat(scene.buffers.log).isEmpty();
  }

  @Test
  void itIsLearnedHowLongANodeTakesAndTheNewNodeIsHeldUntilThePodsAreThere() {
    scene.look(at("07:45"));
    scene.buffers.nodes.put(at("07:47"), "nvidia.com/gpu");
    scene.missing(0, 3);

    assertThat(scene.look(at("07:49")).nodeLeadSeconds()).containsExactly(240L);
    assertThat(buffer()).isEqualTo(buffer(3, Optional.empty()));
    assertThat(scene.look(at("07:50")).nodeLeadSeconds()).as("once").containsExactly(240L);

    scene.missing(0, 1);
    assertThat(scene.look(at("07:56")).buffer()).isEqualTo(1);
    scene.missing(0, 0);
    assertThat(scene.look(at("07:57")).buffer()).isNull();
    assertThat(scene.buffers.log).as("Karpenter hears of a change").containsExactly("release chat");
    scene.look(at("07:58"));
    assertThat(scene.buffers.log).containsExactly("delete chat");
    scene.look(at("07:59"));
    assertThat(scene.buffers.log).isEmpty();
  }

  @Test
  void cardsThatCameWithoutANodeTeachNothing() {
    scene.look(at("07:45"));
    scene.buffers.nodes.put(at("07:40"), "nvidia.com/gpu");
    scene.buffers.nodes.put(at("07:47"), "amd.com/gpu");
    scene.missing(0, 3);

    assertThat(scene.look(at("07:49")).nodeLeadSeconds()).isEmpty();
    assertThat(buffer().askedSince()).isEmpty();
  }

  @Test
  void whatWasLearnedDecidesWhenItIsTimeThoughTheBookingWasRefused() {
    scene.look(at("07:45"));
    scene.buffers.nodes.put(at("07:47"), "nvidia.com/gpu");
    scene.missing(0, 3);
    scene.look(at("07:49"));
    scene.bookings.unreachable.add("chat");
    assertThat(scene.look(at("07:50")).nodeLeadSeconds()).containsExactly(240L);
    scene.bookings.unreachable.clear();
    scene.buffers.buffers.clear();
    scene.missing(2, 3);

    assertThat(scene.look(at("07:50")).message()).contains("at Tue 07:51 UTC; one takes 4 min");
  }

  @Test
  void inShadowModeNothingIsAskedForAnyMore() {
    scene.look(at("07:45"));
    var status = scene.chat.getStatus();
    scene.chat = service("chat", Mode.Shadow, BookingMode.Book);
    scene.chat.setStatus(status);

    assertThat(scene.look(at("07:46")).buffer()).isNull();

    assertThat(scene.buffers.log).containsExactly("release chat");
  }

  @Test
  void withoutAForecastNothingMoreIsAskedForAndTheRestGoesWithItsNeed() {
    scene.look(at("07:45"));
    scene.missing(4, 5);
    assertThat(scene.look(UNKNOWN, EIGHT, at("07:46")).buffer()).isEqualTo(3);

    scene.missing(0, 0);
    assertThat(scene.look(UNKNOWN, EIGHT, at("07:47")).buffer()).isNull();
  }

  @Test
  void whatTheSchedulerSaysOfAnOlderBookingDecidesNothing() {
    scene.look(at("07:45"));
    scene.missing(0, 0);
    var booking = scene.bookings.get("chat");
    booking.getMetadata().setGeneration(booking.getMetadata().getGeneration() + 1);

    assertThat(scene.look(at("07:46")).buffer()).isEqualTo(3);
    assertThat(buffer().held().unknownSince()).contains(at("07:46"));
    assertThat(scene.buffers.log).containsExactly("apply chat 3");
    assertThat(buffer().askedSince()).contains(at("07:45"));
    assertThat(scene.look(at("08:00")).buffer()).isEqualTo(3);
    assertThat(scene.buffers.log).as("nothing is new").isEmpty();
    assertThat(scene.look(at("08:01")).buffer()).as("a quarter of an hour later").isNull();
    assertThat(scene.buffers.log).containsExactly("release chat");
  }

  /** A leader without a forecast, and a scheduler that has ended, too. */
  @Test
  void aBufferEndsWithTheNeedsOfWhichTheSchedulerSpoke() {
    scene.look(at("07:45"));
    var until =
        scene.bookings.get("chat").getSpec().needs().stream()
            .map(BookingNeed::until)
            .max(Comparator.naturalOrder())
            .orElseThrow();

    assertThat(scene.look(UNKNOWN, EIGHT, until.minusSeconds(1)).buffer()).isEqualTo(3);
    assertThat(scene.look(UNKNOWN, EIGHT, until).buffer()).isNull();
  }

  /** Eight cards are allowed, and it is not known how many the other service holds. */
  @Test
  void nothingMoreIsAskedForUntilAllThatIsHeldWasRead() {
    scene.bookings.targets.put("other", deployment("other", 1));
    scene.others.add(service("other", Mode.Active, BookingMode.Book));
    scene.look(at("07:00"));
    scene.missing(2, 3);

    scene.buffers.unreachable.add("other");
    assertThat(scene.look(at("07:50")).buffer()).isNull();
    scene.buffers.unreachable.clear();
    scene.bookings.unreachable.add("other");
    assertThat(scene.look(at("07:50")).buffer()).isNull();
    assertThat(scene.buffers.log).isEmpty();
    scene.bookings.unreachable.clear();
    assertThat(scene.look(at("07:50")).buffer()).isEqualTo(3);

    scene.buffers.unreachable.add("other");
    assertThat(scene.look(at("07:51")).buffer()).as("what is held is held on").isEqualTo(3);
  }

  @Test
  void anothersBufferIsLeftAlone() {
    scene.buffers.buffers.put("chat", ANOTHERS);

    assertThat(scene.look(at("07:50")).message()).endsWith("rename or delete it.");
    scene.missing(0, 0);
    assertThat(scene.look(at("07:51")).message()).doesNotContain("CapacityBuffer");

    assertThat(scene.buffers.buffers).containsEntry("chat", ANOTHERS);
  }

  @Test
  void aBufferFollowsTheTemplate() {
    scene.look(at("07:45"));
    scene.buffers.buffers.put(
        "chat", new Buffer(true, "another", buffer().held(), buffer().askedSince()));

    scene.look(at("07:46"));

    assertThat(buffer().shape()).isEqualTo(SHAPE);
  }

  @Test
  void theLimitIsSaid() {
    var cheap =
        new BufferSettings(
            Duration.ZERO, 8, OptionalDouble.of(2.5), OptionalDouble.of(4), Optional.empty());

    assertThat(scene.look(MORNING, cheap, at("07:55")).message())
        .endsWith(
            "A CapacityBuffer asks for nodes for 1 replica. For 2 replicas no nodes are asked for:"
                + " the cost of 4.0 an hour at 2.5 for a card does not suffice.");
    var none =
        new BufferSettings(
            Duration.ZERO, 0, OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty());
    assertThat(scene.look(MORNING, none, at("07:55")).message())
        .endsWith("For 3 replicas no nodes are asked for: the limit of 0 cards does not suffice.");
    assertThat(buffer().replicas()).isZero();
    scene.buffers.cardsOfReplica = 0.5;
    assertThat(scene.look(MORNING, cheap, at("07:55")).buffer())
        .as("3 halves of 1.6 cards")
        .isEqualTo(3);
  }

  @Test
  void withoutCapacityBuffersOrTheServerItIsSaid() {
    scene.buffers.isServed = false;
    assertThat(scene.look(at("07:50")).message()).contains("has nothing by which an autoscaler");
    scene.buffers.isServed = true;
    scene.buffers.unreachable.add("discovery");
    assertThat(scene.look(at("07:50")).message()).contains("No nodes could be asked for: ");
    scene.buffers.unreachable.clear();
    scene.buffers.unreachable.add("chat");
    assertThat(scene.look(at("07:50")).message()).contains("No nodes could be asked for: ");
  }
}
