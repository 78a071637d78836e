package io.prescale.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricReadModelTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final MetricKey RPS = new MetricKey("default", "predicted_rps");
  private static final LabelSelector ALL = LabelSelector.everything();

  private final MetricReadModel model = new MetricReadModel();

  @Test
  void servesAFreshValueWithTheTimeOfItsComputation() {
    model.publish(RPS, "chat", metric("chat", 128_500));

    assertThat(model.read(RPS, ALL, NOON.plusSeconds(120)))
        .isEqualTo(new Answer.Fresh(List.of(item("chat", 128_500))));
  }

  @Test
  void neverServesLessThanTheFloor() {
    model.publish(
        RPS,
        "chat",
        new ServedMetric(
            labels("chat"), 5, NOON, 60, List.of(), seconds(120), seconds(600), 9_000));

    assertThat(model.read(RPS, ALL, NOON))
        .isEqualTo(new Answer.Fresh(List.of(item("chat", 9_000))));
    assertThat(model.read(RPS, ALL, NOON.plusSeconds(600)))
        .isEqualTo(new Answer.LastKnownGood(List.of(item("chat", 9_000)), seconds(600)));
  }

  @Test
  void lastKnownGoodFollowsThePlanUpwardsOnly() {
    model.publish(
        RPS,
        "chat",
        new ServedMetric(
            labels("chat"),
            100,
            NOON,
            60,
            List.of(
                new PlannedValue(NOON.plusSeconds(400), 50),
                new PlannedValue(NOON.plusSeconds(200), 300),
                new PlannedValue(NOON.plusSeconds(500), 900)),
            seconds(120),
            seconds(600),
            0));

    assertThat(milliAt(120)).isEqualTo(100);
    assertThat(milliAt(199)).isEqualTo(100);
    assertThat(milliAt(200)).isEqualTo(300);
    assertThat(milliAt(499)).isEqualTo(300);
    assertThat(milliAt(600)).isEqualTo(900);
  }

  @Test
  void saysWhyAValueOlderThanItsTtlIsUnknown() {
    model.publish(RPS, "chat", metric("chat", 100));
    model.refuse(RPS, "chat", labels("chat"), "Prometheus answered 503");

    assertThat(model.read(RPS, ALL, NOON.plusSeconds(600)))
        .isInstanceOf(Answer.LastKnownGood.class);
    assertThat(model.read(RPS, ALL, NOON.plusSeconds(601)))
        .isEqualTo(
            new Answer.Unknown(
                "the value of default/predicted_rps from chat is unknown: the last one is 601 s old"
                    + " and may stand in for 600 s; Prometheus answered 503"));
    assertThat(model.read(RPS, ALL, NOON.plusSeconds(31_200)).toString())
        .contains("the last one is 8 h 40 min old and may stand in for 600 s");
  }

  @Test
  void refusesAtOnceWithoutAnEarlierValue() {
    model.refuse(RPS, "chat", labels("chat"), "its first forecast is not made yet");

    assertThat(model.read(RPS, ALL, NOON))
        .isEqualTo(
            new Answer.Unknown(
                "the value of default/predicted_rps from chat is unknown: its first forecast is not"
                    + " made yet"));
  }

  @Test
  void publishingEndsARefusal() {
    model.refuse(RPS, "chat", labels("chat"), "not yet");
    model.publish(RPS, "chat", metric("chat", 0));

    assertThat(model.read(RPS, ALL, NOON)).isEqualTo(new Answer.Fresh(List.of(item("chat", 0))));
  }

  @Test
  void oneUnknownValueMakesTheWholeSumUnknown() throws SelectorException {
    model.publish(RPS, "chat", metric("chat", 100));
    model.refuse(RPS, "code", labels("code"), "no data");

    assertThat(model.read(RPS, ALL, NOON)).isInstanceOf(Answer.Unknown.class);
    assertThat(model.read(RPS, LabelSelector.parse("predictivehpa=chat"), NOON))
        .isEqualTo(new Answer.Fresh(List.of(item("chat", 100))));
  }

  @Test
  void oneAgedValueMakesTheAnswerLastKnownGood() {
    model.publish(RPS, "chat", metric("chat", 100));
    model.publish(
        RPS,
        "code",
        new ServedMetric(
            labels("code"),
            7,
            NOON.plusSeconds(300),
            60,
            List.of(),
            seconds(120),
            seconds(600),
            0));

    assertThat(model.read(RPS, ALL, NOON.plusSeconds(310)))
        .isInstanceOfSatisfying(
            Answer.LastKnownGood.class,
            answer -> {
              assertThat(answer.age()).isEqualTo(seconds(310));
              assertThat(answer.items())
                  .extracting(Answer.Item::milliValue)
                  .containsExactly(100L, 7L);
            });
  }

  @Test
  void namesAnUnknownMetricAndASelectorWithoutMatch() throws SelectorException {
    model.publish(RPS, "chat", metric("chat", 100));

    assertThat(model.read(new MetricKey("default", "other"), ALL, NOON))
        .isEqualTo(
            new Answer.Absent(
                "no PredictiveHPA in namespace \"default\" serves the external metric \"other\""));
    assertThat(model.read(new MetricKey("prod", "predicted_rps"), ALL, NOON))
        .isInstanceOf(Answer.Absent.class);
    assertThat(model.read(RPS, LabelSelector.parse("predictivehpa in (x,y)"), NOON))
        .isEqualTo(
            new Answer.Absent(
                "the external metric \"predicted_rps\" in namespace \"default\" has no value that"
                    + " matches \"predictivehpa in (x,y)\""));
  }

  @Test
  void aWithdrawnMetricDoesNotExist() {
    model.publish(RPS, "chat", metric("chat", 100));
    model.withdraw(RPS, "chat");
    model.withdraw(RPS, "never-there");

    assertThat(model.keys()).isEmpty();
    assertThat(model.read(RPS, ALL, NOON)).isInstanceOf(Answer.Absent.class);
  }

  @Test
  void aValueFromTheNearFutureIsFreshAndFromTheFarFutureUnknown() {
    model.publish(RPS, "chat", metric("chat", 100));

    assertThat(model.read(RPS, ALL, NOON.minusSeconds(600))).isInstanceOf(Answer.Fresh.class);
    assertThat(model.read(RPS, ALL, NOON.minusSeconds(601)))
        .isEqualTo(
            new Answer.Unknown(
                "the value of default/predicted_rps from chat is unknown: it was computed 601 s"
                    + " from now; the clocks of the replicas disagree"));
  }

  @Test
  void refusesNonsense() {
    assertThatIllegalArgumentException().isThrownBy(() -> new MetricKey(" ", "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> new MetricKey("a", ""));
    assertThatIllegalArgumentException().isThrownBy(() -> new PlannedValue(NOON, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> metric("chat", -1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ServedMetric(labels("a"), 1, NOON, 60, List.of(), seconds(60), seconds(59), 0));
  }

  @Test
  void readersSeeWholeValuesWhileOthersPublish() throws Exception {
    model.publish(RPS, "chat", metric("chat", 1));
    var wrong = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int writer = 0; writer < 4; writer++) {
        var source = "s" + writer;
        threads.execute(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                model.publish(RPS, source, metric(source, i));
                model.withdraw(RPS, source);
              }
            });
      }
      for (int reader = 0; reader < 4; reader++) {
        threads.execute(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                if (!(model.read(RPS, ALL, NOON) instanceof Answer.Fresh(var items))
                    || items.isEmpty()
                    || items.size() > 5) {
                  wrong.incrementAndGet();
                }
              }
            });
      }
    }

    assertThat(wrong).hasValue(0);
    assertThat(model.read(RPS, ALL, NOON)).isEqualTo(new Answer.Fresh(List.of(item("chat", 1))));
  }

  @Test
  void oneOfManySourcesIsPublishedAndReadWithoutALookAtTheOthers() throws SelectorException {
    for (int i = 0; i < 10_000; i++) {
      model.publish(RPS, "s" + i, metric("s" + i, i));
    }
    var one = LabelSelector.parse("predictivehpa=s77");

    assertThat(allocatedBy(() -> model.publish(RPS, "s77", metric("s77", 5)))).isLessThan(100_000);
    assertThat(allocatedBy(() -> model.read(RPS, one, NOON))).isLessThan(100_000);
    assertThat(model.read(RPS, one, NOON)).isEqualTo(new Answer.Fresh(List.of(item("s77", 5))));
    assertThat(allocatedBy(() -> model.read(RPS, ALL, NOON))).isGreaterThan(100_000);
  }

  @Test
  void aNamedSourceHasToMeetTheRestOfTheSelectorToo() throws SelectorException {
    model.publish(RPS, "chat", metric("chat", 100));

    for (var selector :
        List.of("predictivehpa=chat,tier", "predictivehpa!=chat", "predictivehpa notin (chat)")) {
      assertThat(model.read(RPS, LabelSelector.parse(selector), NOON))
          .isInstanceOf(Answer.Absent.class);
    }
  }

  /** Bytes: what is looked at, one after the other, is copied or streamed. */
  private static long allocatedBy(Runnable work) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    work.run(); // its classes are loaded
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private long milliAt(long second) {
    return switch (model.read(RPS, ALL, NOON.plusSeconds(second))) {
      case Answer.Fresh(var items) -> items.getFirst().milliValue();
      case Answer.LastKnownGood(var items, _) -> items.getFirst().milliValue();
      case Answer.Unknown _, Answer.Absent _ -> throw new AssertionError("no value");
    };
  }

  private static ServedMetric metric(String source, long milli) {
    return new ServedMetric(
        labels(source), milli, NOON, 60, List.of(), seconds(120), seconds(600), 0);
  }

  private static Answer.Item item(String source, long milli) {
    return new Answer.Item(labels(source), milli, NOON, 60);
  }

  private static SortedMap<String, String> labels(String source) {
    var labels = new TreeMap<String, String>();
    labels.put("predictivehpa", source);
    return labels;
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
