package io.prescale.controller.scheduler.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.AdmittedSpecs;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.api.v1alpha1.GpuQueueStatus;
import io.prescale.controller.api.v1alpha1.QueueCondition.Reason;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** GpuQueues from their manifests to the queues in force and back to their statuses. */
class QueueFeedTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final QueueReader reader = new QueueReader();
  private final WrittenQueues written = new WrittenQueues();

  private QueueReader.Written queue(String name, String spec) {
    return queue(name, "2026-01-01T00:00:00Z", spec);
  }

  private QueueReader.Written queue(String name, String created, String spec) {
    return reader.read(
        Serialization.unmarshal(
            """
            apiVersion: placement.prescale.io/v1alpha1
            kind: GpuQueue
            metadata: {name: %s, generation: 3, creationTimestamp: "%s"}
            spec: %s
            """
                .formatted(name, created, spec),
            GenericKubernetesResource.class));
  }

  private GpuQueueStatus status(QueueReader.Written queue, Optional<QueueState> state) {
    return QueueStatuses.of(queue.queue(), state, 0, written.fault(queue.name()), NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                               | 0    | 1000000000 | 1 | 0
          {guarantee: 4}                                   | 4000 | 1000000000 | 1 | 0
          {guarantee: 500m, limit: "2.5", weight: 3}       | 500  | 2500       | 3 | 0
          {guarantee: 1k, limit: 1000, priority: -2}       | 1000000 | 1000000 | 1 | -2
          {kind: Build, guarantee: 2}                      | 2000 | 2000       | 0 | 0
          {limit: 1M}                                      | 0    | 1000000000 | 1 | 0
          """)
  void amountsAreCards(String spec, long guaranteed, long limit, int weight, int priority) {
    assertThat(queue("q", spec).entry())
        .contains(
            new QueueEntry(
                "q", Optional.empty(), new Quota(guaranteed, 0, limit, weight, priority)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~",
        "[]",
        "{guarantee: -1}",
        "{guarantee: NaN}",
        "{guarantee: 1e999999999}",
        "{guarantee: 8, limit: 4}",
        "{limit: 9E}",
        "{weight: 1001}",
        "{weight: many}",
        "{kind: Other}",
        "{guarantee: {cards: 1}}",
        "{models: [H100, ' ']}",
        "{models: {H100: true}}",
        "{parent: p, models: [H100]}"
      })
  void whatMakesNoSenseLeavesTheLastSpecInForceAndSaysSo(String spec) {
    var good = queue("q", "{guarantee: 2}");
    written.listed(List.of(good));
    var bad = queue("q", spec);

    assertThat(bad.entry()).isEmpty();
    assertThat(written.seen(bad)).contains(good.entry().orElseThrow()).hasSize(2);
    var condition = status(bad, Optional.empty()).conditions().getFirst();
    assertThat(condition.reason()).isEqualTo(Reason.InvalidSpec);
    assertThat(condition.status()).isEqualTo(ConditionStatus.False);
  }

  @Test
  void modelsAreThoseOfItsPool() {
    assertThat(queue("q", "{models: [h100, ' H200 ']}").entry())
        .contains(
            new QueueEntry(
                "q", Optional.empty(), Quota.train(0, 1), CardPool.of(List.of("H100", "H200"))));
    var contrary = queue("r", "2026-02-01T00:00:00Z", "{models: [H100]}");
    written.listed(List.of(queue("q", "2026-01-01T00:00:00Z", "{models: [h100, H200]}"), contrary));
    assertThat(status(contrary, Optional.empty()).conditions().getFirst().message())
        .isEqualTo(
            "Not in force: it names models [H100] and q names [H100, H200]; name the same, or none"
                + " of those. Until then pods of the queue are refused.");
  }

  @Test
  void whileNoQueueIsInForceThereIsTheDefaultOne() {
    assertThat(written.seen(queue("q", "{parent: gone}")))
        .extracting(QueueEntry::name)
        .containsExactly("default");
    assertThat(written.gone("q")).isEmpty();
  }

  @Test
  void aWrittenDefaultQueueThatIsNotInForceGrantsNothing() {
    var other = queue("q", "{}");
    written.listed(List.of(queue("default", "{parent: gone}"), other));
    assertThat(written.seen(other)).containsExactly(other.entry().orElseThrow());

    assertThat(written.gone("q"))
        .containsExactly(new QueueEntry("default", Optional.empty(), Quota.build(0)));
    assertThat(written.isInForce("default")).isFalse();
    assertThat(written.gone("default")).isEmpty();
  }

  /** The API server lists by name. */
  @Test
  void afterARestartTheOlderOfQueuesThatContradictEachOtherIsInForce() {
    var team = queue("team", "2026-01-01T00:00:00Z", "{guarantee: 4}");
    var younger = queue("a", "2026-03-01T00:00:00Z", "{guarantee: 3, parent: team}");
    var older = queue("b", "2026-02-01T00:00:00Z", "{guarantee: 3, parent: team}");
    written.seen(younger);
    written.seen(older);
    written.seen(team);

    assertThat(written.isInForce("b")).isTrue();
    assertThat(written.isInForce("a")).isFalse();
    written.listed(List.of(younger, older, team));
    assertThat(written.isInForce("b")).isTrue();

    written.seen(queue("team", "2026-01-01T00:00:00Z", "{guarantee: 2}"));
    assertThat(written.isInForce("b")).as("the last spec of team stays").isTrue();
    assertThat(written.fault("team").orElseThrow().reason())
        .isEqualTo(Reason.GuaranteeBeyondParent);
  }

  @Test
  void theOlderQueueIsInForceThoughTheYoungerOneFittedBeforeItCame() {
    written.seen(queue("team", "2026-01-01T00:00:00Z", "{guarantee: 4}"));
    written.seen(queue("x", "2026-03-01T00:00:00Z", "{guarantee: 3, parent: team}"));
    assertThat(written.isInForce("x")).isTrue();

    written.seen(queue("y", "2026-02-01T00:00:00Z", "{guarantee: 3, parent: team}"));

    assertThat(written.isInForce("y")).isTrue();
    assertThat(written.fault("x").orElseThrow().reason()).isEqualTo(Reason.GuaranteeBeyondParent);
  }

  @Test
  void aSpecIsReadBesideAStatusThatIsUnreadableAndTheOtherWayRound() {
    var strange = queue("q", "{guarantee: 2}\nstatus: {waiting: many}");
    assertThat(strange.entry()).isPresent();
    assertThat(strange.queue().getStatus()).isNull();

    var bad = queue("q", "{weight: many}\nstatus: {used: '3'}");
    assertThat(bad.entry()).isEmpty();
    assertThat(bad.queue().getStatus().used()).isEqualTo("3");
  }

  @Test
  void theStatusSaysWhatTheQueueHasAndWhyItIsNotInForce() {
    var good = queue("q", "{guarantee: 2}");
    written.listed(List.of(good));
    var quota = good.entry().orElseThrow().quota();
    var state = new QueueState("q", quota, 3_500, 2_000, 1, Optional.of(NOW.minusSeconds(60)));

    var status = status(good, Optional.of(state));

    assertThat(status.used()).isEqualTo("3.5");
    assertThat(status.owed()).isEqualTo("2");
    assertThat(status.borrowed()).isEqualTo("1.5");
    assertThat(status.waiting()).isEqualTo(1);
    assertThat(status.waitingSince()).isEqualTo(NOW.minusSeconds(60));
    assertThat(status.observedGeneration()).isEqualTo(3);
    assertThat(status.conditions().getFirst().reason()).isEqualTo(Reason.InForce);

    var bad = queue("q", "{guarantee: 2, parent: gone}");
    written.seen(bad);
    assertThat(status(bad, Optional.of(state)).conditions().getFirst().message())
        .isEqualTo(
            "Not in force: its parent gone is not there or not in force; create or mend it. Until"
                + " then the last spec that was in force applies.");
  }

  @Test
  void theTransitionTimeStaysWhileTheConditionDoes() {
    var queue = queue("q", "{}");
    written.seen(queue);
    queue.queue().setStatus(status(queue, Optional.empty()));

    assertThat(
            QueueStatuses.of(
                queue.queue(), Optional.empty(), 0, Optional.empty(), NOW.plusSeconds(9)))
        .isEqualTo(queue.queue().getStatus());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {reclaim: {mode: Act}}                                 | ACT    | PT5M  | 100
          {reclaim: {mode: Advise, grace: 90s, maxPerHour: 3}}   | ADVISE | PT90S | 3
          """)
  void termsOfTakingBackAreRead(String spec, Mode mode, Duration grace, int maxPerHour) {
    assertThat(QueueReader.policy(queue("q", spec).queue()))
        .contains(new ReclaimPolicy(mode, grace, maxPerHour));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{reclaim: {}}",
        "{reclaim: {mode: Off}}",
        "{reclaim: {mode: Act, grace: soon}}",
        "{reclaim: {mode: Act, maxPerHour: -1}}",
        "{kind: Build, guarantee: 1, reclaim: {mode: Act}}"
      })
  void otherTermsTakeNothing(String spec) {
    assertThat(QueueReader.policy(queue("q", spec).queue())).isEmpty();
  }

  /** Whatever the definition admits is read, or refused in words. */
  @Test
  void everyAdmittedSpecIsReadOrHasAFault() {
    var json = new KubernetesSerialization();
    var specs = new AdmittedSpecs(19);
    var schema = GeneratedCrd.specSchema(GeneratedCrd.queues());
    int read = 0;
    int taken = 0;
    for (int i = 0; i < 2_000; i++) {
      var spec = json.asJson(Map.of("spec", specs.next(schema)));
      var queue = queue("q" + i % 50, spec.substring(spec.indexOf(':') + 1, spec.length() - 1));
      written.seen(queue);
      read += queue.entry().isPresent() ? 1 : 0;
      taken += QueueReader.policy(queue.queue()).isPresent() ? 1 : 0;
      assertThat(queue.entry().isPresent() || written.fault(queue.name()).isPresent()).isTrue();
    }
    assertThat(read).isGreaterThan(200);
    assertThat(taken).isPositive();
  }
}
