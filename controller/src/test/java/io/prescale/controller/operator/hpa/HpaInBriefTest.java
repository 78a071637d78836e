package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.HpaReader;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HpaInBriefTest {
  private static final String MUCH = "x".repeat(200_000);

  @Test
  void annotationsOfOthersHoldNoMemoryAndAllIsFoundAsBefore() {
    var hpa = hpa("chat", Map.of("note", MUCH, OriginalSpec.ADOPTED_BY, "chat"));

    var brief = HpaInBrief.of(hpa);

    assertThat(brief.toString()).hasSizeLessThan(3_000);
    assertThat(brief.getSpec()).isEqualTo(hpa.getSpec());
    assertThat(HpaIndex.keys(brief)).isEqualTo(HpaIndex.keys(hpa)).hasSize(4);
    assertThat(brief.getMetadata().getResourceVersion()).isEqualTo("7");
  }

  /** Else it would be applied for ever, and Prescale would be in contest with itself. */
  @Test
  void inBriefAnHpaStillHasAllThatWasAppliedToIt() {
    var users = Hpas.users("by-cpu", Hpas.CHAT);

    assertThat(plan(Hpas.wish(true), asStored(applied(Hpas.wish(true), List.of()))).steps())
        .isEmpty();
    assertThat(
            plan(
                    Hpas.adopting("by-cpu"),
                    asStored(applied(Hpas.adopting("by-cpu"), List.of(users))))
                .steps())
        .isEmpty();
  }

  /** The API server takes any UID for an owner's, and makes it a name in {@code managedFields}. */
  @Test
  void ownersOfAnyLengthAndNumberHideNoHpa() {
    var json =
        """
        {"metadata": {"namespace": "team", "name": "by-cpu",
          "ownerReferences": [{"kind": "Nothing", "name": "a", "uid": "%1$s"}],
          "managedFields": [{"fieldsV1": {"k:{\\"uid\\":\\"%1$s\\"}": {}}}]},
         "spec": {"maxReplicas": 9, "scaleTargetRef": {"kind": "Deployment", "name": "chat"}}}
        """
            .formatted("u".repeat(1_000_000));
    var read = HpaReader.json().unmarshal(json, HorizontalPodAutoscaler.class);
    assertThat(HpaReader.isInPart(read)).isFalse();
    var store = BriefObjects.small(HpaInBrief::of, HpaInBrief::ofLarge);

    store.put("team/by-cpu", read);
    assertThat(HpaInBrief.isOfLarge(store.get("team/by-cpu"))).isFalse();
    assertThat(store.get("team/by-cpu").getMetadata().getOwnerReferences()).isEmpty();
    store.put("team/by-cpu", ofOwners(1_000));
    assertThat(HpaInBrief.isOfLarge(store.get("team/by-cpu"))).isTrue();
    assertThat(store.get("team/by-cpu").getMetadata().getOwnerReferences()).hasSize(16);
  }

  /** Their fields are JSON that clients may write, which the API server nests up to 10,000 deep. */
  @Test
  void managedFieldsOfAnyDepthHideNoHpa() {
    var json =
        """
        {"metadata": {"namespace": "team", "name": "by-cpu", "managedFields": [{"fieldsV1": %s}]},
         "spec": {"maxReplicas": 9, "scaleTargetRef": {"kind": "Deployment", "name": "chat"}}}
        """
            .formatted("{\"f:a\":".repeat(9_900) + "{}" + "}".repeat(9_900));

    var read = HpaReader.json().unmarshal(json, HorizontalPodAutoscaler.class);

    assertThat(HpaReader.isInPart(read)).isFalse();
    assertThat(HpaInBrief.of(read).getSpec().getMaxReplicas()).isEqualTo(9);
  }

  private static HorizontalPodAutoscaler ofOwners(int count) {
    var owner = new OwnerReference("v1", null, null, "Nothing", "a", "u".repeat(200));
    return new HorizontalPodAutoscalerBuilder(hpa("chat", Map.of()))
        .editMetadata()
        .withOwnerReferences(Collections.nCopies(count, owner))
        .endMetadata()
        .build();
  }

  private static HpaPlan plan(HpaWish wish, HorizontalPodAutoscaler live) {
    return plan(wish, List.of(HpaInBrief.of(live)));
  }

  private static HpaPlan plan(HpaWish wish, List<HorizontalPodAutoscaler> existing) {
    return planner().plan(wish, existing, Optional.empty(), Optional.empty());
  }

  private static HorizontalPodAutoscaler applied(
      HpaWish wish, List<HorizontalPodAutoscaler> existing) {
    return ((HpaPlan.Apply) plan(wish, existing).steps().getLast()).desired();
  }

  private static HpaPlanner planner() {
    return new HpaPlanner(new HpaFeatures(true), new KubernetesSerialization());
  }

  private static HorizontalPodAutoscaler asStored(HorizontalPodAutoscaler applied) {
    return new HorizontalPodAutoscalerBuilder(applied)
        .editMetadata()
        .withUid("uid-hpa")
        .withResourceVersion("7")
        .addToLabels("team", "a")
        .endMetadata()
        .build();
  }

  @Test
  void ofOneThatIsTooLargeIsKeptWhatItScalesAndWhoAdoptedIt() {
    var store = BriefObjects.small(HpaInBrief::of, HpaInBrief::ofLarge);

    store.put("team/chat", hpa("chat", Map.of("note", MUCH)));
    assertThat(HpaInBrief.isOfLarge(store.get("team/chat"))).isFalse();
    store.put("team/chat", hpa(MUCH, Map.of()));
    assertThat(store.get("team/chat")).as("of no workload there can be").isNull();
    var large = large();
    store.put("team/chat", large);

    var kept = store.get("team/chat");
    assertThat(HpaInBrief.isOfLarge(kept)).isTrue();
    assertThat(kept.toString()).hasSizeLessThan(3_000);
    assertThat(HpaIndex.keys(kept)).isEqualTo(HpaIndex.keys(large));

    var wish = Hpas.adopting("by-cpu");
    var refused = plan(wish, List.of(kept));
    assertThat(refused.steps()).isEmpty();
    assertThat(refused.refusal().orElseThrow().reason()).isEqualTo(HpaPlan.Reason.HPA_UNKNOWN);
    assertThat(plan(Hpas.released(wish), List.of(kept)).steps())
        .containsExactly(new HpaPlan.Restore(kept, "chat-7b"));
    assertThat(planner().ownMaximum(wish, List.of(kept))).isEmpty();
  }

  /** Of a later Kubernetes, or of a tool that the API server took at its word. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spec: {maxReplicas: 9, minReplicas: few, scaleTargetRef: {apiVersion: apps/v1, kind:"
            + " Deployment, name: chat}} | 9 | chat | HPA_UNKNOWN",
        "spec: {maxReplicas: {most: 9}, scaleTargetRef: {kind: Deployment, name: chat}}"
            + " | | chat | ADOPTED_HPA_HAS_OTHER_TARGET",
        "spec: {scaleTargetRef: [chat]} | | '' | HPA_UNKNOWN",
        "spec: chat | | '' | HPA_UNKNOWN",
        "spec: {maxReplicas: 9, scaleTargetRef: {kind: Deployment, name: chat}, behavior: 7}"
            + " | 9 | chat | ADOPTED_HPA_HAS_OTHER_TARGET",
      })
  void ofOneThatCannotBeReadIsKeptWhatCan(
      String spec, Integer most, String target, HpaPlan.Reason reason) {
    var kept = HpaInBrief.of(read(spec));

    assertThat(HpaInBrief.isOfLarge(kept)).isTrue();
    assertThat(kept.getMetadata().getName()).isEqualTo("by-cpu");
    assertThat(kept.getSpec().getMaxReplicas()).isEqualTo(most);
    assertThat(kept.getSpec().getScaleTargetRef().getName()).isEqualTo(target);
    assertThat(plan(Hpas.adopting("by-cpu"), List.of(kept)).refusal().orElseThrow().reason())
        .isEqualTo(reason);
  }

  @Test
  void besideAnHpaOfUnknownTargetNoneIsMadeAndOneThatIsThereIsKeptUp() {
    var unknown = HpaInBrief.of(read("spec: {maxReplicas: 9, scaleTargetRef: [chat]}"));
    var wish = Hpas.wish(true);
    assertThat(HpaIndex.keysFor(wish)).containsAnyElementsOf(HpaIndex.keys(unknown));

    var refused = plan(wish, List.of(unknown));
    assertThat(refused.steps()).isEmpty();
    assertThat(refused.refusal().orElseThrow())
        .isEqualTo(
            new HpaPlan.Refusal(
                HpaPlan.Reason.HPA_UNKNOWN,
                "HorizontalPodAutoscaler by-cpu may scale Deployment/chat: this version of Prescale"
                    + " cannot read its scaleTargetRef; correct the tool that wrote it, or delete"
                    + " that HorizontalPodAutoscaler."));
    var ours = HpaInBrief.of(asStored(applied(wish, List.of())));
    ours.getSpec().setMaxReplicas(4);
    assertThat(plan(wish, List.of(ours, unknown)).steps()).hasSize(1);
  }

  @Test
  void whatCannotBeReadIsDeletedOnlyByItsCertainOwner() {
    var meta =
        "metadata: {namespace: team, name: prescale-chat-7b, generation: x, annotations: {a: b},"
            + " ownerReferences: %s}\nspec: {maxReplicas: some}";
    var owned =
        HpaInBrief.of(read(meta.formatted("[{kind: PredictiveHPA, name: chat-7b, uid: uid-1}]")));
    var unknown = HpaInBrief.of(read(meta.formatted("some")));

    assertThat(planner().release("chat-7b", "uid-1", List.of(owned, unknown)))
        .containsExactly(new HpaPlan.Delete(owned));
    var adopted =
        "metadata: {namespace: team, name: a, annotations: {%s: chat-7b}}\nspec: 7"
            .formatted(OriginalSpec.ADOPTED_BY);
    assertThat(OriginalSpec.adopter(read(adopted))).contains("chat-7b");
  }

  @Test
  void aStatusThatCannotBeReadLeavesTheRulesKnown() {
    var spec = "{maxReplicas: 9, scaleTargetRef: {kind: Deployment, name: chat}}";
    var read = read("spec: %s\nstatus: {currentReplicas: some}".formatted(spec));

    assertThat(read.getStatus()).isNull();
    assertThat(HpaInBrief.isOfLarge(HpaInBrief.of(read))).isFalse();
    var ofUnknownAge = read("metadata: {name: by-cpu, generation: x}\nspec: " + spec);
    assertThat(ofUnknownAge.getMetadata())
        .isEqualTo(new ObjectMetaBuilder().withName("by-cpu").build());
    assertThat(HpaReader.isInPart(ofUnknownAge)).isFalse();
  }

  private static HorizontalPodAutoscaler read(String fields) {
    var meta = fields.startsWith("metadata") ? "" : "metadata: {namespace: team, name: by-cpu}\n";
    return HpaReader.json()
        .unmarshal(
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n" + meta + fields,
            HorizontalPodAutoscaler.class);
  }

  private static HorizontalPodAutoscaler large() {
    var annotations = Map.of(OriginalSpec.ADOPTED_BY, "chat-7b", OriginalSpec.ORIGINAL_SPEC, MUCH);
    return hpa("chat", annotations);
  }

  private static HorizontalPodAutoscaler hpa(String target, Map<String, String> annotations) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName("by-cpu")
        .withResourceVersion("7")
        .withAnnotations(annotations)
        .addToLabels("note", MUCH)
        .addNewManagedField()
        .withManager(MUCH)
        .endManagedField()
        .addNewOwnerReference()
        .withUid("u")
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withMaxReplicas(3)
        .withNewScaleTargetRef("apps/v1", "Deployment", target)
        .endSpec()
        .build();
  }
}
