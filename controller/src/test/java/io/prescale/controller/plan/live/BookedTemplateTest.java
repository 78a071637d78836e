package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.groups;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BookedTemplateTest {
  private static final String CHAT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: chat, namespace: models}
      spec:
        selector: {matchLabels: {app: chat}}
        template:
          metadata:
            labels: {app: chat, gpu.prescale.io/queue: serving}
            annotations:
              kubectl.kubernetes.io/restartedAt: now
              checksum/config: 5d4
              vault.hashicorp.com/agent-inject-template: '{{ with secret "x" }}'
              gpu.prescale.io/links: pair
              nvidia.com/use-gputype: A100
          spec:
            nodeSelector: {pool: gpu}
            priorityClassName: high
            serviceAccountName: chat
            tolerations: [{key: gpu, operator: Exists}]
            imagePullSecrets: [{name: registry}]
            volumes:
            - {name: keys, secret: {secretName: keys}}
            - {name: weights, image: {reference: registry/weights:1, pullPolicy: Always}}
            containers:
            - name: main
              image: model:1
              command: [serve]
              env: [{name: TOKEN, value: secret}]
              volumeMounts: [{name: keys, mountPath: /keys}]
              resources: {limits: {CARDS}}
      """;

  private static Deployment chat(String limits) {
    return Serialization.unmarshal(CHAT.replace("CARDS", limits), Deployment.class);
  }

  @Test
  void onlyWhatDecidesAboutPlacesOrIsPulledIsKept() {
    var booked = BookedTemplate.of(chat("nvidia.com/gpu: 2")).orElseThrow();

    assertThat(booked.selector()).isEqualTo(Map.of("app", "chat"));
    assertThat(Serialization.asYaml(booked.template()))
        .isEqualTo(
            """
            ---
            metadata:
              annotations:
                gpu.prescale.io/links: "pair"
                nvidia.com/use-gputype: "A100"
              labels:
                app: "chat"
                gpu.prescale.io/queue: "serving"
            spec:
              containers:
              - image: "model:1"
                name: "main"
                resources:
                  limits:
                    nvidia.com/gpu: "2"
              imagePullSecrets:
              - name: "registry"
              nodeSelector:
                pool: "gpu"
              priorityClassName: "high"
              serviceAccountName: "chat"
              tolerations:
              - key: "gpu"
                operator: "Exists"
              volumes:
              - image:
                  reference: "registry/weights:1"
                name: "weights"
            """);
    assertThat(Serialization.asYaml(booked.requesting()))
        .as("what autoscalers need not know")
        .doesNotContain("weights", "registry", "serviceAccountName");
  }

  @Test
  void aTemplateThatWasWrittenAndReadIsTheSame() {
    var template = BookedTemplate.of(chat("nvidia.com/gpu: \"2\"")).orElseThrow().template();

    assertThat(Serialization.unmarshal(Serialization.asJson(template), template.getClass()))
        .isEqualTo(template);
  }

  @Test
  void aGroupOfALeaderWorkerSetIsAGang() {
    var alike = BookedTemplate.of(groups("llm", 4, "")).orElseThrow();
    assertThat(alike.selector()).isEqualTo(Map.of("leaderworkerset.sigs.k8s.io/name", "llm"));
    assertThat(alike.pods()).isEqualTo(4);
    var spec = alike.with(List.of(), 20);
    assertThat(spec.size()).isEqualTo(4);
    assertThat(spec.leaderTemplate()).isNull();

    var head = "{spec: {containers: [{name: main, image: head, env: [{name: A, value: b}]}]}}";
    var led = BookedTemplate.of(groups("llm", 4, head)).orElseThrow();
    assertThat(led.pods()).as("that ask for cards").isEqualTo(3);
    var leader = led.with(List.of(), 20).leaderTemplate();
    assertThat(Serialization.asYaml(leader)).contains("image: \"head\"").doesNotContain("env");
    assertThat(led.digest()).isNotEqualTo(alike.digest());
  }

  @Test
  void aGroupOfOneIsItsLeader() {
    var head =
        "{spec: {containers: [{name: main, image: head, resources: {limits: {nvidia.com/gpu:"
            + " 2}}}]}}";
    var single = BookedTemplate.of(groups("llm", 1, head)).orElseThrow();

    assertThat(single.isGang()).isFalse();
    assertThat(single.leaderAsksForOthers()).isFalse();
    var spec = single.with(List.of(), 20);
    assertThat(spec.size()).isNull();
    assertThat(spec.leaderTemplate()).isNull();
    assertThat(Serialization.asYaml(spec.template())).contains("image: \"head\"");
  }

  @Test
  void aLeaderOnOtherNodesThatAsksForCardsIsNotBookedFor() {
    var head = "{spec: {nodeSelector: {pool: big}, containers: [{name: main%s}]}}";
    assertThat(
            BookedTemplate.of(
                groups("llm", 2, head.formatted(", resources: {limits: {nvidia.com/gpu: 8}}"))))
        .isEmpty();
    assertThat(BookedTemplate.of(groups("llm", 2, head.formatted("")))).isPresent();
  }

  @Test
  void groupsThatMakeNoSenseAreNotBookedFor() {
    assertThat(BookedTemplate.of(groups("llm", 0, ""))).isEmpty();
    assertThat(BookedTemplate.of(groups("llm", 201, ""))).as("too large").isEmpty();
    assertThat(BookedTemplate.of(groups("llm", 2, "{}"))).as("no spec").isEmpty();
    assertThat(BookedTemplate.of(groups("llm", 2, "7"))).as("no template").isEmpty();
    var other = groups("llm", 2, "");
    other.setKind("PodCliqueSet");
    other.setAdditionalProperties(Map.of());
    assertThat(BookedTemplate.of(other)).isEmpty();
  }

  @Test
  void whatAsksForNoCardsOrHasNoLabelsIsNotBookedFor() {
    assertThat(BookedTemplate.of(chat("cpu: 2"))).isEmpty();
    assertThat(BookedTemplate.of(new ConfigMap())).isEmpty();
    var unlabelled = chat("nvidia.com/gpu: 1");
    unlabelled.getSpec().getSelector().setMatchLabels(null);
    assertThat(BookedTemplate.of(unlabelled)).isEmpty();
    unlabelled.getSpec().setSelector(null);
    unlabelled.getSpec().setTemplate(null);
    assertThat(BookedTemplate.of(unlabelled)).isEmpty();
  }

  /** As the API server does it for pods, and not for templates. */
  @Test
  void whatIsLimitedIsRequestedTooForAutoscalersThatGoByRequests() {
    var template = BookedTemplate.of(BookedServices.deployment("chat", 2)).orElseThrow();

    var resources = template.requesting().getSpec().getContainers().getFirst().getResources();

    assertThat(resources.getRequests()).isEqualTo(resources.getLimits()).hasSize(2);
    assertThat(template.digest())
        .isEqualTo(BookedTemplate.of(BookedServices.deployment("chat", 2)).orElseThrow().digest())
        .isNotEqualTo(
            BookedTemplate.of(BookedServices.deployment("chat", 1)).orElseThrow().digest());
  }
}
