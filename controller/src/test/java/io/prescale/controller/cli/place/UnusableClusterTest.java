package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code prescale place --snapshot}: hostile, malformed and huge input. */
class UnusableClusterTest {
  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  private SavedCluster cluster() {
    return new SavedCluster(folder);
  }

  @BeforeEach
  void saveCluster() throws IOException {
    cluster().save("");
  }

  private int place(String manifest) throws IOException {
    return cluster().place(program, manifest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "~",
        "[]x",
        "just text: secret-1234",
        "{",
        "kind: Pod",
        "- 1\n- 2",
        "{kind: Pod, metadata: {name: x}}",
        "&a {a: *a}"
      })
  void whatIsNoManifestIsRefusedWithoutBeingQuoted(String text) throws IOException {
    assertThat(place(text)).isEqualTo(3);
    assertThat(program.errLines())
        .singleElement()
        .asString()
        .contains("has no Kubernetes objects with kind and name")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {replicas: -1, template: {spec: {}}}     | Deployment/x asks for -1 pods; write a number from 0 on.
          {replicas: 20000, template: {spec: {}}}  | Deployment/x has more pods than the 10000 that are placed at once; lower its replicas.
          {replicas: 1}                            | Deployment/x lacks a name, a spec or a pod's template.
          {replicas: 1, template: {spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: abc}}}]}}} | manifest.yaml: an amount of a resource is no quantity; write one such as 1, 500m or 4Gi.
          {template: {}}                           | Deployment/x lacks a name, a spec or a pod's template.
          """)
  void anObjectWithoutPodsIsNamed(String spec, String sentence) throws IOException {
    assertThat(
            place(
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: %s"
                    .formatted(spec)))
        .isEqualTo(3);
    assertThat(program.errLines()).singleElement().asString().endsWith(sentence);
  }

  @Test
  void whatYamlLeavesEmptyIsNothing() throws IOException {
    var set =
        """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: llm, namespace: ""}
        spec:
          leaderWorkerTemplate:
            size: 1
            workerTemplate:
              metadata: {labels: null, annotations: }
              spec: {tolerations: , nodeSelector: , priorityClassName: "", containers: [{name: m}]}
        """;

    assertThat(place(set)).isZero();

    assertThat(program.out()).contains("default/llm-0-0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"x\"}}",
        ",{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"x\", \"uid\":"
            + " \"u\", \"namespace\": \"n\"}, \"spec\": {\"containers\": [null]}}"
      })
  void aSnapshotThatNoApiServerWroteIsRefused(String pod) throws IOException {
    cluster().save(pod);

    assertThat(place(SavedCluster.deployment("chat", 1, SavedCluster.POD))).isEqualTo(3);

    assertThat(program.errLines())
        .singleElement()
        .asString()
        .endsWith(
            "cluster.json: an object lacks what the API server insists on, such as a spec or a"
                + " uid.");
  }

  @Test
  void aLargeSnapshotCanBeRead() throws IOException {
    var namespaces = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      namespaces.append(
          ",{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"n%d\"}}"
              .formatted(i));
    }
    cluster().save(namespaces.toString());

    assertThat(place(SavedCluster.deployment("chat", 1, SavedCluster.POD))).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --manifest m.yaml --cluster --seed 7        | --seed has no effect without --arrivals or --lifetimes; add one, or remove --seed.
          --manifest m.yaml                           | Which cluster? Give --cluster for the running one, or --snapshot FILE for a saved one.
          --manifest m.yaml --cluster --snapshot s    | Which cluster? Give --cluster for the running one, or --snapshot FILE for a saved one.
          --cluster                                   | --manifest FILE is missing: the objects whose pods are placed.
          --manifest m.yaml --cluster --save -        | --save - would mix the cluster with the places on standard output; name a file.
          --manifest m.yaml --snapshot s --save t     | --save has no effect without --cluster; add it, or remove --save.
          --manifest m.yaml --cluster --nodes n.csv   | --manifest, --cluster and --snapshot place pods as the scheduler extender does; of the options about files and decisions only --json can be combined with them.
          --queue-system kai --nodes n.csv            | --manifest, --cluster and --snapshot place pods as the scheduler extender does; of the options about files and decisions only --json can be combined with them.
          --manifest m --cluster --queue-system slurm | --queue-system: there is no system "slurm"; choose from prescale, kueue, kai, volcano
          --manifest m --cluster --topology-levels =  | --topology-levels: "=" is not the key of a label; list keys, the largest level first, such as example.com/block,example.com/rack
          --manifest m.yaml --cluster --runs 3        | --runs has no effect without --arrivals or --lifetimes; add one, or remove --runs.
          """)
  void optionsThatDoNotBelongTogetherAreRefused(String options, String sentence) {
    assertThat(program.run(("place " + options).split(" +"))).isEqualTo(2);
    assertThat(program.errLines().getFirst()).isEqualTo(sentence);
  }
}
