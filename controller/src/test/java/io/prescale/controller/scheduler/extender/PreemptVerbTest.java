package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.scheduler.extender.Question.JSON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Ledger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A pod of priority 7 asks for a share; on node a one of priority 0 is in its way. */
class PreemptVerbTest {
  private static final String POD =
      """
      {"metadata":{"name":"p","namespace":"default","uid":"uid-p"},
       "spec":{"priority":7,"containers":[{"name":"c","resources":{
         "limits":{"nvidia.com/gpu":"1","nvidia.com/gpumem":"50000"}}}]}}
      """;
  private static final PodDisruptionBudget NONE =
      Serialization.unmarshal(
          "spec: {selector: {matchLabels: {app: old}}}\nstatus: {disruptionsAllowed: 0}",
          PodDisruptionBudget.class);

  private final Ledger ledger = new Ledger(10);

  @Test
  void choosesVictimsOnItsCardsAndAddsWhatTheirBudgetsDoNotAllow() throws Exception {
    List.of("a", "b").forEach(node -> ledger.seen(Nodes.a100(node, 1)));
    var record = Map.of("hami.io/vgpu-devices-allocated", "GPU-a-0,NVIDIA,80000,0:;");
    var old = Pods.bound(Pods.asking("old", Map.of("nvidia.com/gpu", 1L)), "a", record);
    ledger.seen(Pods.labelled(old, Map.of("app", "old")));
    var question =
        Question.read(
            """
            {"Pod":%s,"NodeNameToVictims":null,"NodeNameToMetaVictims":{
              "a":{"Pods":[],"NumPDBViolations":2},"b":{"Pods":null},"unknown":{"Pods":[]}}}
            """
                .formatted(POD)
                .getBytes(UTF_8));

    var answer =
        new PreemptVerb(ledger, Set::of, _ -> List.of(NONE))
            .answer(question.pod(QueueSource.PRESCALE), question);

    assertThat(JSON.readTree(answer.toString()))
        .isEqualTo(
            JSON.readTree(
                """
                {"NodeNameToMetaVictims":{
                  "a":{"Pods":[{"UID":"uid-old"}],"NumPDBViolations":3},
                  "b":{"Pods":[],"NumPDBViolations":0}}}
                """));
  }
}
