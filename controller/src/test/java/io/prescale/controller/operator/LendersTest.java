package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LendersTest {
  private static final int WEEK = 7 * 24;
  private static final Instant NOW = Instant.parse("2026-03-02T00:00:00Z");
  private final Lenders lenders = new Lenders();

  @Test
  void newTargetsBorrowFromTheirNamespaceOnly() {
    var ofChat = lenders.of(resource("chat", "new"), NOW);
    learned("chat", "a", history(WEEK), history(WEEK + 5));
    learned("search", "b", history(WEEK));

    assertThat(ofChat.get().size()).isEqualTo(2);
    assertThat(lent("search")).isEqualTo(1);
    assertThat(lent("other")).isZero();
  }

  @Test
  void aTargetIsReplacedByItsNewestWeek() {
    learned("chat", "a", history(WEEK));
    learned("chat", "a", history(WEEK));
    assertThat(lent("chat")).isEqualTo(1);
  }

  @Test
  void aTargetThatIsGoneIsLentForAnotherWeek() {
    learned("chat", "a", history(WEEK));
    learned("chat", "b", history(WEEK));
    var early = lenders.of(resource("chat", "new"), NOW);
    lenders.learned(resource("chat", "b"), Stream.of(history(WEEK)), NOW.plus(Duration.ofHours(4)));

    assertThat(lenders.of(resource("chat", "new"), NOW.plus(Duration.ofDays(7))).get().size())
        .isEqualTo(2);
    assertThat(
            lenders
                .of(resource("chat", "new"), NOW.plus(Duration.ofDays(7).plusSeconds(1)))
                .get()
                .size())
        .isEqualTo(1);
    assertThat(early.get().size()).as("at each moment").isEqualTo(1);
  }

  @Test
  void thePredecessorIsTheOneThatIsNamed() {
    learned("chat", "chat-v1", history(WEEK), history(WEEK));
    learned("chat", "search", history(WEEK));
    learned("other", "chat-v1", history(WEEK));
    var next = resource("chat", "chat-v2");
    next.getMetadata().setAnnotations(Map.of("prescale.io/predecessor", "chat-v1"));

    var relatives = lenders.of(next, NOW).get();

    assertThat(relatives.size()).isEqualTo(3);
    assertThat(relatives.predecessor()).isEqualTo(relatives.all().subList(0, 2));
    next.getMetadata().setAnnotations(Map.of("prescale.io/predecessor", "never-known"));
    assertThat(lenders.of(next, NOW).get().predecessor()).isEmpty();
  }

  @Test
  void oneOfTheSameNameThatIsGoneIsThePredecessorAndNoneIsItsOwn() {
    learned("chat", "chat-v1", history(WEEK));
    var again = resource("chat", "chat-v1");
    assertThat(lenders.of(again, NOW).get().predecessor()).isEmpty();

    again.getMetadata().setUid("installed again");
    assertThat(lenders.of(again, NOW).get().predecessor()).hasSize(1);
    assertThat(lenders.of(resource("chat", "chat-v2"), NOW).get().predecessor()).isEmpty();
  }

  @Test
  void theNewestOfTheSameAppIsThePredecessorWhereNoneIsNamed() {
    learned(version("chat", "llm-v2", "llm", "2026-02-20T10:00:00Z"), history(WEEK));
    learned(version("chat", "llm-v1", "llm", "2025-12-01T10:00:00Z"), history(WEEK));
    learned(version("chat", "search", "search", "2026-02-27T10:00:00Z"), history(WEEK));
    learned(version("other", "llm-v2", "llm", "2026-02-27T10:00:00Z"), history(WEEK));
    learned(version("chat", "llm-v3", "llm", "2026-03-01T10:00:00Z"), history(WEEK - 1));
    var next = version("chat", "llm-v4", "llm", "2026-03-02T00:00:00Z");

    var relatives = lenders.of(next, NOW).get();
    assertThat(relatives.predecessor()).as("llm-v2").isEqualTo(relatives.all().subList(0, 1));

    var unlabelled = resource("chat", "llm-v5");
    assertThat(lenders.of(unlabelled, NOW).get().predecessor()).isEmpty();
    var label = Map.of("app.kubernetes.io/name", "llm");
    unlabelled.getMetadata().setLabels(label);
    assertThat(lenders.of(unlabelled, NOW).get().predecessor()).as("no version").isEmpty();
  }

  @Test
  void anAnnotationCountsMoreThanANameAndANameMoreThanALabel() {
    learned(version("chat", "llm-v1", "llm", "2025-12-01T10:00:00Z"), history(WEEK));
    learned(version("chat", "llm-v2", "llm", "2026-02-20T10:00:00Z"), history(WEEK));
    var again = version("chat", "llm-v1", "llm", "2026-03-02T00:00:00Z");
    again.getMetadata().setUid("installed again");

    var byName = lenders.of(again, NOW).get();
    assertThat(byName.predecessor()).as("llm-v1").isEqualTo(byName.all().subList(0, 1));

    again.getMetadata().setAnnotations(Map.of("prescale.io/predecessor", "llm-v2"));
    var named = lenders.of(again, NOW).get();
    assertThat(named.predecessor()).as("llm-v2").isEqualTo(named.all().subList(1, 2));

    again.getMetadata().setAnnotations(Map.of("prescale.io/predecessor", "none"));
    assertThat(lenders.of(again, NOW).get().predecessor()).as("no label either").isEmpty();
  }

  @Test
  void lessThanAWeekIsNotLent() {
    learned("chat", "a", history(WEEK - 1));
    assertThat(lent("chat")).isZero();

    learned("chat", "a", history(WEEK));
    learned("chat", "a", history(WEEK - 1));
    assertThat(lent("chat")).as("the week before is still lent").isEqualTo(1);
  }

  @Test
  void memoryIsBoundedAndTheLargestNamespaceGivesWay() {
    for (int i = 0; i < 207; i++) {
      learned("many", "uid-" + i, weekOfMinutes());
    }
    assertThat(lent("many")).isEqualTo(200);

    learned("few", "a", weekOfMinutes(), weekOfMinutes());

    assertThat(lent("few")).isEqualTo(2);
    assertThat(lent("many")).isEqualTo(198);
  }

  @Test
  void targetsOfOtherReplicasAreForgotten() {
    learned("chat", "a", history(WEEK));
    learned("chat", "b", history(WEEK));
    lenders.forgetWhere("chat/a"::equals);
    assertThat(lent("chat")).isEqualTo(1);
  }

  private void learned(String namespace, String name, TimeSeries... histories) {
    learned(resource(namespace, name), histories);
  }

  private void learned(PredictiveHPA resource, TimeSeries... histories) {
    lenders.learned(resource, Stream.of(histories), NOW);
  }

  /** How many metrics a new target of the namespace may borrow from. */
  private int lent(String namespace) {
    return lenders.of(resource(namespace, "new"), NOW).get().size();
  }

  /** One whose UID is its name with its namespace. */
  private static PredictiveHPA resource(String namespace, String name) {
    var resource = new PredictiveHPA();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName(name)
            .withUid(namespace + "/" + name)
            .build());
    return resource;
  }

  private static PredictiveHPA version(String namespace, String name, String app, String created) {
    var resource = resource(namespace, name);
    resource
        .getMetadata()
        .setLabels(
            Map.of("app.kubernetes.io/name", app, "app.kubernetes.io/version", name + "-tag"));
    resource.getMetadata().setCreationTimestamp(created);
    return resource;
  }

  private static TimeSeries history(int hours) {
    return history(hours, Duration.ofHours(1));
  }

  private static TimeSeries weekOfMinutes() {
    return history(60 * WEEK, Duration.ofMinutes(1));
  }

  private static TimeSeries history(int steps, Duration step) {
    double[] values = new double[steps];
    Arrays.fill(values, 3);
    return TimeSeries.of(Instant.EPOCH, step, values);
  }
}
