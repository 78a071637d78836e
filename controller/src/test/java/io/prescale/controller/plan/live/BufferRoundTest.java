package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.MORNING;
import static io.prescale.controller.plan.live.BookedServices.UNKNOWN;
import static io.prescale.controller.plan.live.BookedServices.at;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.BookingRoom;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What autoscalers are asked for: three replicas are created at 07:55, and for two of them cards
 * are missing; nodes are taken to need ten minutes.
 */
class BufferRoundTest {
  private static final BufferSettings EIGHT =
      new BufferSettings(Duration.ofMinutes(10), 8, OptionalDouble.empty(), OptionalDouble.empty());

  private static final String SHAPE =
      BookedTemplate.of(deployment("chat", 1)).orElseThrow().digest();

  private static final Buffer ANOTHERS =
      new Buffer(false, SHAPE, new Held(7, Optional.empty(), Optional.empty()), Optional.empty());

  private final FakeBookings bookings = new FakeBookings();
  private final FakeBuffers buffers = new FakeBuffers();
  private final List<PredictiveHPA> others = new ArrayList<>();
  private PredictiveHPA chat = service("chat", Mode.Active, BookingMode.Book);

  @BeforeEach
  void booked() {
    bookings.targets.put("chat", deployment("chat", 1));
    look(at("07:00"));
    missing(2, 3);
  }

  /** The scheduler says of three replicas, or fewer, for how many cards are missing. */
  private void missing(int missing, int replicas) {
    var booking = bookings.get("chat");
    var condition =
        new BookingCondition(
            BookingCondition.Type.Ready,
            missing > 0 ? ConditionStatus.False : ConditionStatus.True,
            1L,
            at("07:00"),
            missing > 0 ? BookingCondition.Reason.NoRoom : BookingCondition.Reason.NotYet,
            "");
    booking.setStatus(
        new GpuBookingStatus(
            booking.getMetadata().getGeneration(),
            replicas,
            0,
            0,
            missing,
            missing > 0 ? at("07:55") : null,
            replicas == 0 ? List.of() : List.of(new BookingRoom(at("07:55"), replicas, missing)),
            null,
            List.of(condition)));
  }

  private BookingStatus look(Instant now) {
    return look(MORNING, EIGHT, now);
  }

  private BookingStatus look(
      ServiceForecasts.Known forecast, BufferSettings settings, Instant now) {
    buffers.log.clear();
    var services = new ArrayList<>(others);
    services.add(chat);
    var round = new BufferRound(buffers, settings, () -> true);
    return new BookingRound(bookings, Optional.of(round), services, () -> true)
        .write(_ -> forecast, now).stream()
            .filter(it -> it.name().equals("chat"))
            .findFirst()
            .orElseThrow()
            .status();
  }

  /** For the three of 07:55, or fewer. */
  private static Buffer buffer(int replicas, Optional<Instant> askedSince) {
    return new Buffer(
        true, SHAPE, new Held(replicas, Optional.of(at("07:55")), Optional.empty()), askedSince);
  }

  private Buffer buffer() {
    return Objects.requireNonNull(buffers.buffers.get("chat"));
  }

  @Test
  void nodesAreAskedForOnceAndInTime() {
    var early = look(at("07:44"));
    assertThat(buffers.log).isEmpty();
    assertThat(early.buffer()).isNull();
    assertThat(early.message())
        .endsWith(
            "For those whose cards are missing, nodes are asked for at Tue 07:45 UTC; one takes 10"
                + " min.");

    var status = look(at("07:45"));

    assertThat(buffers.log).containsExactly("apply chat 3");
    assertThat(buffer()).isEqualTo(buffer(3, Optional.of(at("07:45"))));
    assertThat(status.buffer()).isEqualTo(3);
    assertThat(status.message()).endsWith("A CapacityBuffer asks for nodes for 3 replicas.");
    assertThat(look(at("07:46")).buffer()).isEqualTo(3);
    assertThat(buffers.log).isEmpty();
  }

  @Test
  void itIsLearnedHowLongANodeTakesAndTheNewNodeIsHeldUntilThePodsAreThere() {
    look(at("07:45"));
    buffers.nodes.put(at("07:47"), "nvidia.com/gpu");
    missing(0, 3);

    assertThat(look(at("07:49")).nodeLeadSeconds()).containsExactly(240L);
    assertThat(buffer()).isEqualTo(buffer(3, Optional.empty()));
    assertThat(look(at("07:50")).nodeLeadSeconds()).as("once").containsExactly(240L);

    missing(0, 1);
    assertThat(look(at("07:56")).buffer()).isEqualTo(1);
    missing(0, 0);
    assertThat(look(at("07:57")).buffer()).isNull();
    assertThat(buffers.log).as("Karpenter hears of a change").containsExactly("release chat");
    look(at("07:58"));
    assertThat(buffers.log).containsExactly("delete chat");
    look(at("07:59"));
    assertThat(buffers.log).isEmpty();
  }

  @Test
  void cardsThatCameWithoutANodeTeachNothing() {
    look(at("07:45"));
    buffers.nodes.put(at("07:40"), "nvidia.com/gpu");
    buffers.nodes.put(at("07:47"), "amd.com/gpu");
    missing(0, 3);

    assertThat(look(at("07:49")).nodeLeadSeconds()).isEmpty();
    assertThat(buffer().askedSince()).isEmpty();
  }

  @Test
  void whatWasLearnedDecidesWhenItIsTimeThoughTheBookingWasRefused() {
    look(at("07:45"));
    buffers.nodes.put(at("07:47"), "nvidia.com/gpu");
    missing(0, 3);
    look(at("07:49"));
    bookings.unreachable.add("chat");
    assertThat(look(at("07:50")).nodeLeadSeconds()).containsExactly(240L);
    bookings.unreachable.clear();
    buffers.buffers.clear();
    missing(2, 3);

    assertThat(look(at("07:50")).message()).contains("at Tue 07:51 UTC; one takes 4 min");
  }

  @Test
  void inShadowModeNothingIsAskedForAnyMore() {
    look(at("07:45"));
    var status = chat.getStatus();
    chat = service("chat", Mode.Shadow, BookingMode.Book);
    chat.setStatus(status);

    assertThat(look(at("07:46")).buffer()).isNull();

    assertThat(buffers.log).containsExactly("release chat");
  }

  @Test
  void withoutAForecastNothingMoreIsAskedForAndTheRestGoesWithItsNeed() {
    look(at("07:45"));
    missing(4, 5);
    assertThat(look(UNKNOWN, EIGHT, at("07:46")).buffer()).isEqualTo(3);

    missing(0, 0);
    assertThat(look(UNKNOWN, EIGHT, at("07:47")).buffer()).isNull();
  }

  @Test
  void whatTheSchedulerSaysOfAnOlderBookingDecidesNothing() {
    look(at("07:45"));
    missing(0, 0);
    var booking = bookings.get("chat");
    booking.getMetadata().setGeneration(booking.getMetadata().getGeneration() + 1);

    assertThat(look(at("07:46")).buffer()).isEqualTo(3);
    assertThat(buffer().held().unknownSince()).contains(at("07:46"));
    assertThat(buffers.log).containsExactly("apply chat 3");
    assertThat(buffer().askedSince()).contains(at("07:45"));
    assertThat(look(at("08:00")).buffer()).isEqualTo(3);
    assertThat(buffers.log).as("nothing is new").isEmpty();
    assertThat(look(at("08:01")).buffer()).as("a quarter of an hour later").isNull();
    assertThat(buffers.log).containsExactly("release chat");
  }

  /** A leader without a forecast, and a scheduler that has ended, too. */
  @Test
  void aBufferEndsWithTheNeedsOfWhichTheSchedulerSpoke() {
    look(at("07:45"));
    var until =
        bookings.get("chat").getSpec().needs().stream()
            .map(BookingNeed::until)
            .max(Comparator.naturalOrder())
            .orElseThrow();

    assertThat(look(UNKNOWN, EIGHT, until.minusSeconds(1)).buffer()).isEqualTo(3);
    assertThat(look(UNKNOWN, EIGHT, until).buffer()).isNull();
  }

  /** Eight cards are allowed, and it is not known how many the other service holds. */
  @Test
  void nothingMoreIsAskedForUntilAllThatIsHeldWasRead() {
    bookings.targets.put("other", deployment("other", 1));
    others.add(service("other", Mode.Active, BookingMode.Book));
    look(at("07:00"));
    missing(2, 3);

    buffers.unreachable.add("other");
    assertThat(look(at("07:50")).buffer()).isNull();
    buffers.unreachable.clear();
    bookings.unreachable.add("other");
    assertThat(look(at("07:50")).buffer()).isNull();
    assertThat(buffers.log).isEmpty();
    bookings.unreachable.clear();
    assertThat(look(at("07:50")).buffer()).isEqualTo(3);

    buffers.unreachable.add("other");
    assertThat(look(at("07:51")).buffer()).as("what is held is held on").isEqualTo(3);
  }

  @Test
  void anothersBufferIsLeftAlone() {
    buffers.buffers.put("chat", ANOTHERS);

    assertThat(look(at("07:50")).message()).endsWith("rename or delete it.");
    missing(0, 0);
    assertThat(look(at("07:51")).message()).doesNotContain("CapacityBuffer");

    assertThat(buffers.buffers).containsEntry("chat", ANOTHERS);
  }

  @Test
  void aBufferFollowsTheTemplate() {
    look(at("07:45"));
    buffers.buffers.put(
        "chat", new Buffer(true, "another", buffer().held(), buffer().askedSince()));

    look(at("07:46"));

    assertThat(buffer().shape()).isEqualTo(SHAPE);
  }

  @Test
  void theLimitIsSaid() {
    var cheap = new BufferSettings(Duration.ZERO, 8, OptionalDouble.of(2.5), OptionalDouble.of(4));

    assertThat(look(MORNING, cheap, at("07:55")).message())
        .endsWith(
            "A CapacityBuffer asks for nodes for 1 replica. For 2 replicas no nodes are asked for:"
                + " the cost of 4.0 an hour at 2.5 for a card does not suffice.");
    var none = new BufferSettings(Duration.ZERO, 0, OptionalDouble.empty(), OptionalDouble.empty());
    assertThat(look(MORNING, none, at("07:55")).message())
        .endsWith("For 3 replicas no nodes are asked for: the limit of 0 cards does not suffice.");
    assertThat(buffer().replicas()).isZero();
    buffers.cardsOfReplica = 0.5;
    assertThat(look(MORNING, cheap, at("07:55")).buffer()).as("3 halves of 1.6 cards").isEqualTo(3);
  }

  @Test
  void withoutCapacityBuffersOrTheServerItIsSaid() {
    buffers.isServed = false;
    assertThat(look(at("07:50")).message()).contains("the API server has no CapacityBuffers");
    buffers.isServed = true;
    buffers.unreachable.add("discovery");
    assertThat(look(at("07:50")).message()).contains("No CapacityBuffer: ");
    buffers.unreachable.clear();
    buffers.unreachable.add("chat");
    assertThat(look(at("07:50")).message()).contains("No CapacityBuffer: ");
  }
}
