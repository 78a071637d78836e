package io.prescale.controller.scheduler.bookings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingCondition.Reason;
import io.prescale.controller.api.v1alpha1.BookingImages;
import io.prescale.controller.api.v1alpha1.BookingRoom;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.scheduler.facts.NodeAdmission;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.controller.scheduler.warm.WarmReport;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.notice.Expectation.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** GpuBookings from their manifests to what is kept and back to their statuses. */
class BookingsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final String GOOD =
      """
      selector: {app: llm}
      template:
        metadata: {labels: {app: llm, gpu.prescale.io/queue: serving}}
        spec:
          nodeSelector: {zone: x}
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: "1"}}}]
      needs: [{from: "2026-11-24T09:10:00Z", until: "2026-11-24T10:00:00Z", replicas: 3, percent: 84}]
      shortagePrice: 20
      """;

  private final NodeAdmission nodes = new NodeAdmission();
  private final Bookings bookings = new Bookings(QueueSource.PRESCALE, nodes);

  private static GenericKubernetesResource booking(String name, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: placement.prescale.io/v1alpha1
        kind: GpuBooking
        metadata: {name: %s, namespace: models, uid: u-%s, generation: 7}
        spec:
        %s
        """
            .formatted(name, name, spec.indent(2)),
        GenericKubernetesResource.class);
  }

  private static Node node(String name, Map<String, String> labels) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .build();
  }

  @Test
  void aBookingIsReadAndKeptToOnTheNodesThatLetItsReplicasIn() {
    nodes.seen(node("in", Map.of("zone", "x")));
    nodes.seen(node("out", Map.of("zone", "y")));
    bookings.seen(booking("llm", GOOD));

    assertThat(bookings.current())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.key()).isEqualTo("models/llm");
              assertThat(it.nodes()).containsExactly("in");
              assertThat(it.replica().getFirst().queue()).contains("serving");
              assertThat(it.pods().labels()).isEqualTo(Map.of("app", "llm"));
              assertThat(it.price()).isEqualTo(20);
              assertThat(it.needs())
                  .containsExactly(
                      new Booking.Need(
                          Instant.parse("2026-11-24T09:10:00Z"),
                          Instant.parse("2026-11-24T10:00:00Z"),
                          3,
                          0.84));
            });

    nodes.seen(node("out", Map.of("zone", "x")));
    assertThat(bookings.current().getFirst().nodes()).containsExactlyInAnyOrder("in", "out");
    nodes.gone(node("in", Map.of()));
    assertThat(bookings.current().getFirst().nodes()).containsExactly("out");
    bookings.gone(booking("llm", GOOD));
    assertThat(bookings.current()).isEmpty();
  }

  @Test
  void aReplicaMayBeAGangWithALeaderOfItsOwn() {
    nodes.seen(node("in", Map.of("zone", "x")));
    nodes.seen(node("out", Map.of("zone", "y")));
    var gang =
        """
        size: 3
        leaderTemplate:
          spec:
            nodeSelector: {zone: x}
            containers: [{name: main, image: leader, resources: {limits: {nvidia.com/gpu: "2"}}}]
        """;
    bookings.seen(booking("llm", GOOD + gang));

    var read = bookings.current().getFirst();

    assertThat(read.replica()).hasSize(3);
    assertThat(read.replica().getFirst().containers().getFirst().asked())
        .isEqualTo(Map.of("nvidia.com/gpu", 2L));
    assertThat(read.nodes()).containsExactly("in");
    assertThat(bookings.warm().getFirst().size()).isEqualTo(3);
    assertThat(bookings.warm().getFirst().replica()).as("each kind once").hasSize(2);

    var withoutCards = gang.replace(", resources: {limits: {nvidia.com/gpu: \"2\"}}", "");
    bookings.seen(booking("llm", GOOD + withoutCards.replace("zone: x", "zone: y")));
    assertThat(bookings.current().getFirst().replica()).hasSize(3);
    assertThat(bookings.current().getFirst().nodes())
        .as("where a leader without cards goes does not matter")
        .containsExactly("in");
    assertThat(bookings.warm().getFirst().size()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "needs: []",
        "selector: {app: llm}",
        "selector: {}\ntemplate: {}",
        "selector: 3\ntemplate: 4",
        "selector: {app: llm}\ntemplate: {spec: {containers: 7}}",
        "selector: {app: llm}\ntemplate: {spec: {containers: [{name: main}]}}",
        "selector: {app: llm}\ntemplate: {metadata: {labels: [1]}, spec: {}}",
        "selector: {app: llm}\ntemplate: {spec: {priority: 1e99}}\nneeds: many",
        "selector: {app: llm}\ntemplate: {spec: {containers: [{name: main}]}}\nshortagePrice: -1",
        "selector: {app: llm}\ntemplate: {spec: {containers: [{name: main}]}}\nshortagePrice: .nan",
        "selector: {app: llm}\nsize: -2\ntemplate: {spec: {containers: [{name: main}]}}",
        "selector: {app: llm}\nsize: many\ntemplate: {spec: {containers: [{name: main}]}}",
        "selector: {app: llm}\nsize: 2000000000\ntemplate: {spec: {containers: [{name: main}]}}",
        "selector: {app: llm}\nsize: 2\ntemplate: {spec: {containers: [{name: main, resources:"
            + " {limits: {nvidia.com/gpu: 1}}}]}}\nleaderTemplate: {spec: {nodeSelector: {zone: y},"
            + " containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]}}"
      })
  void whatMakesNoSenseIsSaidAndHarmsNoOther(String spec) {
    bookings.seen(booking("good", GOOD));
    bookings.seen(booking("bad", spec));

    assertThat(bookings.current()).extracting(Booking::key).containsExactly("models/good");
    var condition =
        BookingStatuses.of(bookings.all().getFirst(), BookingState.NONE, Optional.empty(), NOW)
            .conditions()
            .getFirst();
    assertThat(condition.reason()).isEqualTo(Reason.InvalidSpec);
    assertThat(condition.status()).isEqualTo(ConditionStatus.False);
    assertThat(condition.message()).contains("; ");
  }

  @ParameterizedTest
  @CsvSource({
    "BOOKED, NOT_YET, NotYet, True",
    "BOOKED, ASKED, PodsAsked, True",
    "BOOKED, NOT_WORTH, Booked, True",
    "ASKED, NO_ROOM, NoRoom, False",
    "ASKED, NOT_OWED, NotOwed, False",
    "NOT_BOUND, ASKED, NotBound, False",
    "NOT_WORTH, NOT_WORTH, NotWorth, False"
  })
  void theWorstIsTheReason(Outcome one, Outcome other, Reason reason, ConditionStatus status) {
    bookings.seen(booking("llm", GOOD));
    var counts = one == other ? Map.of(one, 2) : Map.of(one, 1, other, 1);
    var state = new BookingState(counts, Optional.empty(), List.of(), Map.of());

    var written = BookingStatuses.of(bookings.all().getFirst(), state, Optional.empty(), NOW);

    assertThat(written.conditions().getFirst().reason()).isEqualTo(reason);
    assertThat(written.conditions().getFirst().status()).isEqualTo(status);
    assertThat(written.expected()).isEqualTo(2);
    assertThat(written.observedGeneration()).isEqualTo(7);
  }

  @Test
  void theStatusSaysWhatRoomIsNeededWhen() {
    bookings.seen(booking("llm", GOOD));
    var room = List.of(new BookingState.Room(NOW.plusSeconds(600), 3, 2));
    var state = new BookingState(Map.of(Outcome.NO_ROOM, 2), Optional.of(NOW), room, Map.of());

    assertThat(BookingStatuses.of(bookings.all().getFirst(), state, Optional.empty(), NOW).room())
        .containsExactly(new BookingRoom(NOW.plusSeconds(600), 3, 2));
  }

  @Test
  void nothingExpectedIsNoFault() {
    bookings.seen(booking("llm", GOOD));

    var written =
        BookingStatuses.of(bookings.all().getFirst(), BookingState.NONE, Optional.empty(), NOW);

    assertThat(List.of(written.booked(), written.asked(), written.missing())).containsOnly(0);
    assertThat(written.conditions().getFirst().reason()).isEqualTo(Reason.NothingExpected);
  }

  @Test
  void whatIsSaidOfImagesIsASecondCondition() {
    bookings.seen(booking("llm", GOOD));
    var images = new BookingImages(3, 1, List.of(), List.of(), null, null);
    var warm = new WarmReport(Reason.Pulling, "1 of 3.", images);

    var written =
        BookingStatuses.of(
            bookings.all().getFirst(),
            BookingState.NONE,
            Optional.of(Map.of("models/llm", warm)),
            NOW);

    assertThat(written.images()).isEqualTo(images);
    assertThat(written.conditions())
        .extracting(BookingCondition::type, BookingCondition::status, BookingCondition::reason)
        .containsExactly(
            tuple(BookingCondition.Type.Ready, ConditionStatus.True, Reason.NothingExpected),
            tuple(BookingCondition.Type.Warm, ConditionStatus.False, Reason.Pulling));
  }

  /** As right after a leader has changed, or while the spec is invalid. */
  @ParameterizedTest
  @ValueSource(strings = {GOOD, "needs: []"})
  void whatAStatusSaysOfImagesStaysUntilMoreIsKnown(String spec) {
    var images = new BookingImages(3, 3, List.of(40L), List.of(190L), NOW, null);
    var warm =
        new BookingCondition(
            BookingCondition.Type.Warm, ConditionStatus.True, 6L, NOW, Reason.ImagesReady, "All.");
    var said = new GpuBookingStatus(6L, 0, 0, 0, 0, null, List.of(), images, List.of(warm));
    var written = booking("llm", spec);
    written.setAdditionalProperty(
        "status", Serialization.unmarshal(Serialization.asJson(said), Map.class));
    bookings.seen(written);
    var read = bookings.all().getFirst();

    var unknown =
        BookingStatuses.of(read, BookingState.NONE, Optional.of(Map.of()), NOW.plusSeconds(5));
    assertThat(unknown.images()).isEqualTo(images);
    assertThat(unknown.conditions()).hasSize(2).last().isEqualTo(warm);

    var off = BookingStatuses.of(read, BookingState.NONE, Optional.empty(), NOW);
    assertThat(off.images()).isNull();
    assertThat(off.conditions()).hasSize(1);
  }
}
