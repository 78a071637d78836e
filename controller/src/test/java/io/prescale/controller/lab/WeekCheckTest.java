package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.lab.WeekCheck.Bounds;
import io.prescale.controller.lab.WeekCheck.Findings;
import io.prescale.controller.lab.WeekEvent.Bound;
import io.prescale.controller.lab.WeekEvent.Created;
import io.prescale.controller.lab.WeekEvent.Ended;
import io.prescale.controller.lab.WeekEvent.Evicted;
import io.prescale.controller.lab.WeekEvent.Noticed;
import io.prescale.controller.lab.WeekEvent.Part;
import io.prescale.controller.lab.WeekEvent.Why;
import io.prescale.controller.lab.WeekEvent.Withdrawn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WeekCheckTest {
  private static final Instant START = Instant.parse("2026-11-27T00:00:00Z");
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration SLACK = Duration.ofSeconds(2);
  private static final int CARD_MIB = 16_000;
  private static final Map<String, Integer> CARDS =
      Map.of("a", CARD_MIB, "b", CARD_MIB, "c", CARD_MIB);

  private final List<WeekEvent> events = new ArrayList<>();

  @Test
  void aWeekThatKeepsAllBoundsHasNoBreach() {
    bind(0, "one", "a", 1000);
    bind(0, "two", "b", 1000);
    notice(10, "two", Why.GIVE_BACK);
    evict(12, "two");
    end(20, "one");

    assertThat(found().breaches()).isEmpty();
    assertThat(found().taken()).isEqualTo(1);
    assertThat(found().notices()).containsExactly(Duration.ofSeconds(2));
  }

  @Test
  void aQueueBeyondItsLimitIsFound() {
    bind(0, "one", "a", 1000);
    bind(1, "two", "b", 1000);
    bind(2, "three", "c", 100);

    assertThat(found().breaches())
        .singleElement()
        .asString()
        .contains("three")
        .contains("has 2100 of at most 2000");
  }

  @Test
  void aCardWhoseMemoryIsGivenOutTwiceIsFound() {
    bind(0, "one", "a", 600);
    bind(1, "two", "a", 500);

    assertThat(found().breaches()).singleElement().asString().contains("two").contains("card a");
  }

  @Test
  void aCardWithTooManySharersIsFound() {
    IntStream.rangeClosed(0, OpenbNodes.SHARERS).forEach(pod -> bind(pod, "pod-" + pod, "a", 10));

    assertThat(found().breaches()).singleElement().asString().contains("pods=11");
  }

  @Test
  void aCardIsFreeWhenItsPodHasEndedOrWasEvicted() {
    bind(0, "one", "a", 1000);
    end(1, "one");
    bind(1, "two", "a", 1000);
    bind(1, "other", "b", 1000);
    notice(2, "two", Why.MOVE);
    evict(5, "two");
    bind(5, "three", "a", 1000);

    assertThat(found().breaches()).isEmpty();
    assertThat(found().moved()).isEqualTo(1);
    assertThat(found().taken()).isZero();
  }

  @Test
  void aPodThatIsTakenFromAQueueWithinItsGuaranteeIsFound() {
    bind(0, "one", "a", 1000);
    notice(1, "one", Why.GIVE_BACK);
    evict(3, "one");

    assertThat(found().breaches())
        .singleElement()
        .asString()
        .contains("leaves queue team 0 of the 1000 that it is guaranteed");
  }

  @Test
  void whatEndedJustBeforeNeedNotBeKnown() {
    bind(0, "one", "a", 1000);
    bind(0, "two", "b", 1000);
    notice(1, "two", Why.GIVE_BACK);
    end(9, "one");
    evict(10, "two");

    assertThat(found().breaches()).isEmpty();
    assertThat(found().closeTakings()).isEqualTo(1);
  }

  @Test
  void whatEndedLongBeforeIsKnown() {
    bind(0, "one", "a", 1000);
    bind(0, "two", "b", 1000);
    notice(1, "two", Why.GIVE_BACK);
    end(7, "one");
    evict(10, "two");

    assertThat(found().breaches()).hasSize(1);
  }

  @Test
  void anEvictionWithoutNoticeIsFound() {
    bind(0, "one", "a", 1000);
    bind(0, "two", "b", 1000);
    notice(1, "two", Why.GIVE_BACK);
    events.add(new Withdrawn(at(2), "two", Why.GIVE_BACK));
    evict(5, "two");

    assertThat(found().breaches()).singleElement().asString().contains("had no notice");
  }

  @Test
  void aNoticeThatIsTooShortOrHasNotRunOutIsFound() {
    bind(0, "one", "a", 1000);
    bind(0, "two", "b", 1000);
    events.add(new Noticed(at(1), "two", Why.GIVE_BACK, at(3)));
    events.add(new Evicted(at(1).plusMillis(400), "two"));

    assertThat(found().breaches())
        .satisfiesExactly(
            it -> assertThat(it).contains("had its cards until"),
            it -> assertThat(it).contains("had notice for 400 ms"));
  }

  @Test
  void aPodThatIsDeletedTwiceIsNoneThatIsBoundAfterItsEnd() {
    bind(0, "one", "a", 1000);
    end(1, "one");
    end(1, "one");
    events.add(new Bound(at(2), "one", List.of()));

    assertThat(found().breaches()).singleElement().asString().contains("one is not there");
  }

  @Test
  void aPodThatIsBoundTwiceIsFound() {
    bind(0, "one", "a", 100);
    events.add(new Bound(at(1), "one", List.of()));

    assertThat(found().breaches()).singleElement().asString().contains("is bound twice");
  }

  @Test
  void aQueueIsOwedFromTheCreationOfAPodWithinItsGuaranteeUntilOneIsBound() {
    bind(0, "one", "a", 1000);
    events.add(new Created(at(1), "two", "team", 500));
    end(4, "one");
    events.add(new Bound(at(7), "two", List.of()));

    var times = found().queues().get("team");
    assertThat(times).isNotNull();
    assertThat(times.owed()).containsExactly(Duration.ZERO, Duration.ofSeconds(3));
    assertThat(times.waits()).containsExactly(Duration.ZERO, Duration.ofSeconds(6));
    assertThat(times.left()).isZero();
  }

  private Findings found() {
    return new WeekCheck(Map.of("team", new Bounds(1000, 2000)), CARDS, GRACE, SLACK)
        .replay(events);
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }

  private void bind(int second, String pod, String card, int milli) {
    events.add(new Created(at(second), pod, "team", milli));
    var part = new Part(card, CARD_MIB / 1000 * milli, milli / 10);
    events.add(new Bound(at(second), pod, List.of(part)));
  }

  private void notice(int second, String pod, Why why) {
    events.add(new Noticed(at(second), pod, why, at(second).plus(GRACE)));
  }

  private void evict(int second, String pod) {
    events.add(new Evicted(at(second), pod));
  }

  private void end(int second, String pod) {
    events.add(new Ended(at(second), pod));
  }
}
