package io.prescale.controller.web.cards;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpuPage.Line;
import io.prescale.controller.web.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CardHistoryTest {
  private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

  private final CardHistory history = new CardHistory();

  private static Instant at(int minute) {
    return NOON.plus(Duration.ofMinutes(minute));
  }

  private static GpuPage.Queue queue(String name, String parent, long usedMilli) {
    return new GpuPage.Queue(name, parent, 0, null, usedMilli, 0, 0, null, "");
  }

  private static GpuPage.Notice notice(String pod, String claim) {
    return new GpuPage.Notice(pod, "training", NOON, claim);
  }

  private void observe(int minute, GpuPage.Queue... queues) {
    history.observe(at(minute), List.of(queues), List.of());
  }

  @Test
  void keepsTheLastOfEachFiveMinutes() {
    observe(0, queue("serving", "", 1000), queue("training", "", 6000));
    observe(4, queue("serving", "", 2000), queue("training", "", 5000));
    observe(5, queue("serving", "", 3500), queue("training", "", 4000));

    var course = history.course();
    assertThat(course.time())
        .containsExactly(NOON.getEpochSecond(), NOON.plusSeconds(300).getEpochSecond());
    assertThat(course.lines())
        .containsExactly(
            new Line("serving", List.of(2000L, 3500L)),
            new Line("training", List.of(5000L, 4000L)));
  }

  @Test
  void whatWasNotObservedIsUnknownAndAQueueThatIsNewOrGoneHoldsNothing() {
    observe(0, queue("serving", "", 1000));
    observe(11, queue("training", "", 500));
    observe(6, queue("training", "", 9000));

    assertThat(history.course().lines())
        .containsExactly(
            new Line("serving", Arrays.asList(1000L, null, 0L)),
            new Line("training", Arrays.asList(0L, null, 500L)));
  }

  @Test
  void countsWhatChildrenHoldOnceAndShowsNoQueueThatHeldNothing() {
    observe(0, queue("team", "", 3000), queue("research", "team", 3000), queue("idle", "", 0));

    assertThat(history.course().lines()).containsExactly(new Line("team", List.of(3000L)));
  }

  @Test
  void forgetsWhatIsOlderThanADay() {
    for (int minute = 0; minute <= 25 * 60; minute += 5) {
      observe(minute, queue("serving", "", minute + 1));
    }

    var course = history.course();
    assertThat(course.time()).hasSize(288).startsWith(at(65).getEpochSecond());
    assertThat(course.lines().getFirst().usedMilli()).startsWith(66L).endsWith(1501L);

    observe(60 * 24 * 365, queue("serving", "", 7));
    assertThat(history.course().lines().getFirst().usedMilli())
        .hasSize(288)
        .endsWith(7L)
        .containsOnly(7L, null);
  }

  @Test
  void ofVeryManyQueuesMostAreSummed() {
    var queues =
        IntStream.range(0, 500).mapToObj(i -> queue("team-%03d".formatted(i), "", 1000)).toList();
    history.observe(NOON, queues, List.of());

    assertThat(history.course().lines())
        .hasSize(CardHistory.MOST_QUEUES + 1)
        .endsWith(new Line(CardHistory.OTHERS, List.of(488_000L)));
  }

  @Test
  void marksANoticeOnceAndAgainAfterItWasWithdrawn() {
    history.observe(at(0), List.of(), List.of(notice("train-1", "chat-8")));
    history.observe(at(1), List.of(), List.of(notice("train-1", "chat-8")));
    history.observe(at(2), List.of(), List.of());
    history.observe(at(6), List.of(queue("t", "", 1)), List.of(notice("train-1", "chat-8")));

    assertThat(history.course().marks())
        .containsExactly(
            mark(0, "train-1 is to give its cards back to chat-8."),
            mark(6, "train-1 is to give its cards back to chat-8."));
  }

  @Test
  void countsTheNoticesOfFiveMinutesInOneMarkAndForgetsThemAfterADay() {
    for (int minute = 0; minute < 26 * 60; minute++) {
      history.observe(
          at(minute), List.of(queue("t", "", 1)), List.of(notice("train-" + minute, "chat-8")));
    }

    assertThat(history.course().marks())
        .hasSize(288)
        .startsWith(mark(120, "5 notices to give cards back, the first to train-120 for chat-8."));
  }

  @Test
  void queuesThatHeldNothingForADayMakeRoomForOthers() {
    for (int i = 0; i < CardHistory.MOST_QUEUES; i++) {
      observe(5 * i, queue("gone-" + i, "", 1000), queue("kept", "", 1000));
    }
    assertThat(history.course().lines()).extracting(Line::queue).contains(CardHistory.OTHERS);
    for (int minute = 26 * 60; minute < 52 * 60; minute++) {
      observe(minute, queue("chat", "", 3000), queue("vision", "", 5000));
    }

    assertThat(history.course().lines()).extracting(Line::queue).containsExactly("chat", "vision");
  }

  @Test
  void withoutQueuesThereIsNothingToShow() {
    assertThat(history.course()).isEqualTo(GpuPage.Course.NONE);
    observe(0);
    assertThat(history.course()).isEqualTo(GpuPage.Course.NONE);
  }

  private static Mark mark(int minute, String text) {
    return new Mark(at(minute), Mark.Kind.NOTICE, text);
  }
}
