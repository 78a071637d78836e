package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.hpa.Contest;
import io.prescale.controller.operator.hpa.HpaPlan;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.Conditions.Finding;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.telemetry.Telemetry;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What an API server makes of the writes about HPAs. */
@MockApi
@NullUnmarked // the extension sets client and server
class HpaUpkeepTest {
  private static final String PATH =
      "/apis/autoscaling/v2/namespaces/team/horizontalpodautoscalers/prescale-chat";

  private static final PredictiveHPA CHAT = PredictiveHpas.chat("requests");

  private KubernetesClient client;
  private KubernetesMockServer server;
  private final Telemetry telemetry = new Telemetry(Clock.systemUTC());
  private final Contest contest = new Contest();

  @Test
  void saysWhatTheServerRefusedAndCountsIt() throws IOException {
    answerDeleteWith(403, "horizontalpodautoscalers is forbidden");

    assertThat(carryOut(_ -> true).map(Finding::message))
        .contains("The HPA could not be written: horizontalpodautoscalers is forbidden");
    assertThat(written()).contains("prescale_writes_total{kind=\"hpa\",outcome=\"failed\",} 1.0");
  }

  @Test
  void aConflictIsTriedAgainAndCountedApart() throws IOException {
    answerDeleteWith(409, "the object has been modified");

    assertThatThrownBy(() -> carryOut(_ -> true)).isInstanceOf(KubernetesClientException.class);
    assertThat(written()).contains("prescale_writes_total{kind=\"hpa\",outcome=\"conflict\",} 1.0");
  }

  @Test
  void writesNothingWhenAnotherReplicaLeads() throws IOException {
    assertThat(carryOut(_ -> false)).isEmpty();

    assertThat(server.getRequestCount()).isZero();
    assertThat(written()).doesNotContain("prescale_writes_total{");
  }

  @Test
  void noHpaBeginsBeforeThereIsAValue() {
    var plan = new HpaPlan(List.of(new HpaPlan.Apply(hpa(), Optional.empty())), Optional.empty());

    assertThat(upkeep(_ -> true).carryOut(CHAT, plan, contest, false, PredictiveHpas.NOON))
        .isEmpty();
    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void anApplyThatFailsIsNoContest() {
    var plan = new HpaPlan(List.of(new HpaPlan.Apply(hpa(), Optional.empty())), Optional.empty());

    for (int i = 0; i < 10; i++) { // the server knows of no such request, and says 404
      assertThat(upkeep(_ -> true).carryOut(CHAT, plan, contest, true, PredictiveHpas.NOON))
          .isPresent();
    }
    assertThat(contest.refusal(PredictiveHpas.NOON)).isEmpty();
  }

  @Test
  void ofManyHpasSomeWaitForTheirTurnAndNothingThatIsGivenBackDoes() throws IOException {
    var plan = new HpaPlan(List.of(new HpaPlan.Apply(hpa(), Optional.empty())), Optional.empty());
    var upkeep = upkeep(_ -> true);
    for (int i = 0; i < 5; i++) { // half of the ten that there are at once
      upkeep.carryOut(CHAT, plan, contest, true, PredictiveHpas.NOON);
    }
    int requests = server.getRequestCount();

    assertThat(upkeep.carryOut(CHAT, plan, contest, true, PredictiveHpas.NOON))
        .contains(Conditions.hpaWaits("prescale-chat"));
    assertThat(server.getRequestCount()).isEqualTo(requests);
    var both =
        new HpaPlan(
            List.of(new HpaPlan.Delete(hpa()), new HpaPlan.Apply(hpa(), Optional.empty())),
            Optional.empty());
    assertThat(upkeep.carryOut(CHAT, both, contest, true, PredictiveHpas.NOON)).isPresent();
    assertThat(server.getRequestCount()).as("nor is the old one deleted yet").isEqualTo(requests);
    answerDeleteWith(200, "");
    upkeep.write("team", new HpaPlan.Delete(hpa()));
    assertThat(written()).contains("prescale_writes_total{kind=\"hpa\",outcome=\"ok\",} 1.0");
  }

  private Optional<Finding> carryOut(Predicate<PredictiveHPA> leads) {
    var plan = new HpaPlan(List.of(new HpaPlan.Delete(hpa())), Optional.empty());
    return upkeep(leads).carryOut(CHAT, plan, contest, true, PredictiveHpas.NOON);
  }

  private HpaUpkeep upkeep(Predicate<PredictiveHPA> leads) {
    return new HpaUpkeep(
        client, leads, new CountedWrites(telemetry, new WriteTurns(1, () -> 1, () -> 0)));
  }

  private void answerDeleteWith(int code, String message) {
    var status = new StatusBuilder().withCode(code).withMessage(message).build();
    server.expect().delete().withPath(PATH).andReturn(code, status).always();
  }

  private String written() throws IOException {
    var page = new StringWriter();
    telemetry.write(page);
    return page.toString();
  }

  private static HorizontalPodAutoscaler hpa() {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName("prescale-chat")
        .withResourceVersion("7")
        .endMetadata()
        .build();
  }
}
