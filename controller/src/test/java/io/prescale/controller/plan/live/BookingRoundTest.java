package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.MORNING;
import static io.prescale.controller.plan.live.BookedServices.SIX;
import static io.prescale.controller.plan.live.BookedServices.TOO_OLD;
import static io.prescale.controller.plan.live.BookedServices.UNKNOWN;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingImages;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one look at the bookings writes. */
class BookingRoundTest {
  private final FakeBookings store = new FakeBookings();
  private final PredictiveHPA chat = service("chat", Mode.Active, BookingMode.Book);

  @BeforeEach
  void deployments() {
    store.targets.put("chat", deployment("chat", 1));
    store.targets.put("code", deployment("code", 1));
  }

  private List<Booked> look(ServiceForecasts.Known forecast, PredictiveHPA... resources) {
    store.log.clear();
    return new BookingRound(store, Optional.empty(), List.of(resources), () -> true)
        .write(_ -> forecast, SIX);
  }

  private List<BookingNeed> needs() {
    return store.get("chat").getSpec().needs();
  }

  @Test
  void whatIsNewIsWrittenOnce() {
    assertThat(look(MORNING, chat))
        .singleElement()
        .satisfies(it -> assertThat(it.status().replicas()).isEqualTo(5));
    assertThat(store.log).containsExactly("apply chat with 2 needs", "report chat Booked");
    assertThat(needs())
        .extracting(BookingNeed::replicas, BookingNeed::percent)
        .containsExactly(tuple(2, 100), tuple(5, 100));

    assertThat(look(MORNING, chat)).hasSize(1);
    assertThat(store.log).isEmpty();
  }

  @Test
  void withoutTrustTheNeedsAreEmptiedOnceAndTheBookingStays() {
    look(MORNING, chat);
    var shadow = service("chat", Mode.Shadow, BookingMode.Book);

    look(MORNING, shadow);

    assertThat(store.log).containsExactly("apply chat with 0 needs", "report chat ShadowMode");
    look(MORNING, shadow);
    assertThat(store.log).isEmpty();
    assertThat(needs()).isEmpty();
  }

  /** As of a new leader at first. */
  @Test
  void withoutAForecastTheBookingStaysAsItIs() {
    look(MORNING, chat);

    look(UNKNOWN, chat);

    assertThat(store.log).containsExactly("report chat NoForecast");
    assertThat(needs()).hasSize(2);
  }

  /** As in an outage of Prometheus, in which the HPA cannot use the cards either. */
  @Test
  void onAForecastThatIsTooOldNoCardsAreKept() {
    look(MORNING, chat);

    var booked = look(TOO_OLD, chat);

    assertThat(store.log).containsExactly("apply chat with 0 needs", "report chat ForecastTooOld");
    assertThat(needs()).isEmpty();
    assertThat(booked.getFirst().status().message())
        .isEqualTo(
            "There has been no forecast for four hours, so no cards are kept. The"
                + " newest demand is 241 min old.");
    look(TOO_OLD, chat);
    assertThat(store.log).isEmpty();
  }

  @Test
  void switchedOffItsOwnIsDeletedAndAnothersIsNot() {
    look(MORNING, chat);
    var off = service("chat", Mode.Active, BookingMode.Off);

    assertThat(look(MORNING, off)).isEmpty();

    assertThat(store.log).containsExactly("delete chat");
    look(MORNING, chat);
    store.put("chat", "another", store.get("chat").getSpec());
    look(MORNING, off);
    assertThat(store.log).isEmpty();
    assertThat(store.bookings).containsKey("chat");
  }

  /** Two replicas of chat, for which nodes have come. */
  private static FakeBuffers twoHeld() {
    var buffers = new FakeBuffers();
    var held = new Held(2, Optional.empty(), Optional.empty());
    buffers.buffers.put("chat", new Buffer(true, "", held, Optional.empty()));
    return buffers;
  }

  private void look(FakeBuffers buffers, PredictiveHPA resource) {
    var settings =
        new BufferSettings(
            Duration.ofMinutes(10),
            8,
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty());
    store.log.clear();
    buffers.log.clear();
    var round = new BufferRound(List.of(buffers), buffers, settings, () -> true);
    new BookingRound(store, Optional.of(round), List.of(resource), () -> true)
        .write(_ -> MORNING, SIX);
  }

  /** With the booking its buffer is collected, at whatever number it has then. */
  @Test
  void switchedOffTheBufferEndsBeforeTheBooking() {
    look(MORNING, chat);
    var off = service("chat", Mode.Active, BookingMode.Off);
    off.setStatus(chat.getStatus());
    var buffers = twoHeld();

    look(buffers, off);
    assertThat(buffers.log).containsExactly("release chat");
    assertThat(store.log).isEmpty();

    look(buffers, off);
    assertThat(buffers.log).containsExactly("delete chat");
    assertThat(store.log).containsExactly("delete chat", "report chat nothing");
  }

  /** Its nodes would be held until Karpenter looks for nodes for something else. */
  @Test
  void aBufferWhoseTargetIsGoneHoldsNothingBeforeItIsDeleted() {
    look(MORNING, chat);
    store.targets.clear();
    var buffers = twoHeld();

    look(buffers, chat);
    assertThat(buffers.log).containsExactly("release chat");
    look(buffers, chat);
    assertThat(buffers.log).containsExactly("delete chat");
    look(buffers, chat);
    assertThat(buffers.log).isEmpty();
  }

  @Test
  void whatTheSchedulerSaysOfImagesIsSaidToo() {
    look(MORNING, chat);
    var booking = store.get("chat");
    var warm =
        new BookingCondition(
            BookingCondition.Type.Warm,
            ConditionStatus.True,
            1L,
            SIX,
            BookingCondition.Reason.ImagesReady,
            "All 3 nodes where replicas will be have their images.");
    booking.setStatus(
        new GpuBookingStatus(
            booking.getMetadata().getGeneration(),
            0,
            0,
            0,
            0,
            null,
            List.of(),
            new BookingImages(3, 3, List.of(), List.of(), null, null),
            List.of(warm)));

    assertThat(look(MORNING, chat).getFirst().status().message())
        .endsWith(". All 3 nodes where replicas will be have their images.");
  }

  @Test
  void anothersIsNotWrittenOver() {
    look(MORNING, chat);
    store.put("chat", "another", store.get("chat").getSpec());

    var booked = look(UNKNOWN, chat);

    assertThat(store.log).containsExactly("report chat Refused");
    assertThat(booked.getFirst().status().message()).contains("rename or delete it");
  }

  @Test
  void whatTheServerRefusesOfOneStopsNoOther() {
    store.unreachable.add("chat");

    var booked = look(MORNING, chat, service("code", Mode.Active, BookingMode.Book));

    assertThat(booked)
        .extracting(it -> it.status().reason())
        .containsExactly(BookingReason.Refused, BookingReason.Booked);
    assertThat(store.bookings).containsOnlyKeys("code");
  }

  @Test
  void aTargetThatIsGoneEmptiesTheBooking() {
    look(MORNING, chat);
    store.targets.clear();

    look(MORNING, chat);

    assertThat(store.log)
        .containsExactly("apply chat with 0 needs", "report chat TargetNotBookable");
  }

  @Test
  void aBookingOnWhichTheExtenderHasReportedMeanwhileIsReadAndWrittenAgain() {
    look(MORNING, chat);
    store.reportedOn.add("chat");
    assertThat(look(TOO_OLD, chat)).hasSize(1);
    assertThat(store.log)
        .containsExactly(
            "conflict on chat", "apply chat with 0 needs", "report chat ForecastTooOld");
  }

  @Test
  void aReportThatMeetsATickIsReadAndWrittenAgain() {
    store.changed.add("chat");

    look(MORNING, chat);

    assertThat(store.log)
        .containsExactly("apply chat with 2 needs", "read chat", "report chat Booked");
  }

  @Test
  void aReportThatIsRefusedLateIsNotRepeated() {
    store.changed.add("chat");

    new BookingRound(store, Optional.empty(), List.of(chat), () -> !store.log.contains("read chat"))
        .write(_ -> MORNING, SIX);

    assertThat(store.log).containsExactly("apply chat with 2 needs", "read chat");
  }

  /** Another leads by then, and may know newer needs. */
  @Test
  void whoLosesTheLeadAfterItsFirstWriteWritesNoMore() {
    var code = service("code", Mode.Active, BookingMode.Book);
    var buffers = new FakeBuffers();
    BooleanSupplier leads = () -> store.log.isEmpty();
    var settings =
        new BufferSettings(
            Duration.ZERO, 8, OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty());
    var round = new BufferRound(List.of(buffers), buffers, settings, leads);

    var booked =
        new BookingRound(store, Optional.of(round), List.of(chat, code), leads)
            .write(_ -> MORNING, SIX);

    assertThat(store.log).containsExactly("apply chat with 2 needs");
    assertThat(buffers.log).isEmpty();
    assertThat(booked).isEmpty();
  }

  @Test
  void onlyThoseThatMayBookNeedAForecast() {
    var all =
        List.of(
            chat,
            service("shadow", Mode.Shadow, BookingMode.Book),
            service("off", Mode.Active, BookingMode.Off));

    assertThat(new BookingRound(store, Optional.empty(), all, () -> true).asking())
        .containsExactly(chat);
  }
}
