package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Manifests in Git that Flux's own controllers fetch and apply every five seconds. Its first run
 * builds them.
 */
class FluxLabIT {
  private static final String TOOL = "kustomize-controller";

  private static @Nullable GaugedLab lab;
  private static @Nullable GitServer git;
  private static final List<Replica> FLUX = new ArrayList<>();

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    var programs = Lab.flux();
    lab = GaugedLab.start(folder, "flux");
    git = GitServer.start(folder);
    lab.kubectl("apply", "--server-side", "-f", programs.resolve("crds").toString());
    lab.awaitDefinitions();
    lab.kubectl("create", "namespace", "flux-system");
    var storage = "127.0.0.1:" + PrescaleInLab.freePort();
    start(
        programs,
        "source-controller",
        "--storage-path=" + Files.createDirectories(folder.resolve("artifacts")),
        "--storage-addr=" + storage,
        "--storage-adv-addr=" + storage);
    start(programs, TOOL);
  }

  private static void start(Path programs, String name, String... options) throws IOException {
    var command =
        new ArrayList<>(
            List.of(programs.resolve(name).toString(), "--metrics-addr=0", "--health-addr=0"));
    command.addAll(List.of(options));
    FLUX.add(
        Replica.start(
            name,
            command,
            Map.of(
                "KUBECONFIG",
                lab().lab().describe().kubeconfig().toString(),
                "RUNTIME_NAMESPACE",
                "flux-system")));
  }

  @AfterAll
  static void stopAll() {
    FLUX.forEach(Replica::close);
    if (git != null) {
      git.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void replicasInGitAreNoticedAndTheDocumentedRecipeEndsTheContest() throws Exception {
    lab().gauges().set("load_chat", 20);
    var chat = new WorkloadInGit(lab(), "chat", "PrescaleHPA");
    chat.commit(git());
    kustomization("chat");
    chat.isContested();

    documentedRecipe("chat");

    patiently().until(() -> lab().replicas("chat"), replicas -> replicas == 5);
    stays(() -> lab().replicas("chat"), 5);
    chat.restsWhile(TOOL);
    assertThat(lab().hpas("chat")).as("Flux does not prune it").containsExactly("prescale-chat");
  }

  @Test
  void anHpaFromGitIsFollowedAndNothingIsContested() throws Exception {
    lab().gauges().set("load_web", 20);
    var web = new WorkloadInGit(lab(), "web", "ExistingHPA");
    web.commit(git());
    kustomization("web");
    documentedRecipe("web");

    patiently().until(() -> lab().replicas("web"), replicas -> replicas == 5);
    stays(() -> lab().replicas("web"), 5);
    web.restsWhile(TOOL);
    assertThat(lab().condition("web", "ScalingActive").get("message").asText())
        .isEqualTo("Your HorizontalPodAutoscaler in-git acts on the served values.");
  }

  @Test
  void replicasThatOnlyFluxHasSetGoBackToOneUnlessAnotherManagerHasThemToo() throws Exception {
    for (var name : List.of("falls", "stays")) {
      lab().kubectl("create", "namespace", name);
      git().commit(name + "/all.yaml", deployment(name));
      kustomization(name);
      patiently().until(() -> lab().replicas(name), replicas -> replicas == 3);
    }
    var replicas =
        """
        {apiVersion: apps/v1, kind: Deployment, metadata: {name: stays, namespace: stays}, spec: {replicas: 3}}
        """;
    var file = Files.writeString(Files.createTempFile("replicas", ".yaml"), replicas);
    lab()
        .kubectl(
            "apply",
            "--server-side",
            "--validate=false",
            "--field-manager=hand-over",
            "-f",
            file.toString());
    Files.delete(file);

    documentedRecipe("falls");
    documentedRecipe("stays");

    patiently().until(() -> lab().replicas("falls"), it -> it == 1);
    stays(() -> lab().replicas("stays"), 3);
  }

  private static String deployment(String name) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %1$s, namespace: %1$s}
    spec:
      replicas: 3
      selector: {matchLabels: {app: %1$s}}
      template:
        metadata: {labels: {app: %1$s}}
        spec: {containers: [{name: model, image: model}]}
    """
        .formatted(name);
  }

  private static void kustomization(String name) throws Exception {
    lab()
        .apply(
            """
            apiVersion: source.toolkit.fluxcd.io/v1
            kind: GitRepository
            metadata: {name: manifests, namespace: flux-system}
            spec: {url: "%2$s", ref: {branch: %3$s}, interval: 5s}
            ---
            apiVersion: kustomize.toolkit.fluxcd.io/v1
            kind: Kustomization
            metadata: {name: %1$s, namespace: flux-system}
            spec:
              path: ./%1$s
              sourceRef: {kind: GitRepository, name: manifests}
              interval: 5s
              prune: true
            """
                .formatted(name, git().url(), GitServer.BRANCH));
  }

  /** As docs/gitops.md has it for the Deployment chat. */
  private static void documentedRecipe(String name) throws Exception {
    var recipe = DocumentedManifests.starting("# Flux").replace("chat", name);
    var file = Files.writeString(Files.createTempFile("patch", ".yaml"), recipe);
    lab()
        .kubectl(
            "patch",
            "kustomization",
            name,
            "--namespace=flux-system",
            "--type=merge",
            "--patch-file=" + file);
    Files.delete(file);
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }

  private static GitServer git() {
    return Objects.requireNonNull(git, "the repository was not started");
  }
}
