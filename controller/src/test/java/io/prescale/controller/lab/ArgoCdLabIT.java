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
 * Manifests in Git that Argo CD's own controller compares every three seconds, and applies with
 * self-heal. Its first run builds it.
 */
class ArgoCdLabIT {
  private static final String TOOL = "argo-cd";
  private static final String SETTINGS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: argocd}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: argocd-cm, namespace: argocd, labels: {app.kubernetes.io/part-of: argocd}}
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: argocd-secret, namespace: argocd, labels: {app.kubernetes.io/part-of: argocd}}
      stringData: {server.secretkey: not-a-secret}
      ---
      apiVersion: argoproj.io/v1alpha1
      kind: AppProject
      metadata: {name: default, namespace: argocd}
      spec:
        sourceRepos: ["*"]
        destinations: [{server: "*", namespace: "*"}]
        clusterResourceWhitelist: [{group: "*", kind: "*"}]
      """;

  private static @Nullable GaugedLab lab;
  private static @Nullable GitServer git;
  private static final List<Replica> ARGO = new ArrayList<>();

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    var programs = Lab.argoCd();
    lab = GaugedLab.start(folder, "argo-cd");
    git = GitServer.start(folder);
    lab.kubectl("apply", "--server-side", "-f", programs.resolve("crds").toString());
    lab.awaitDefinitions();
    lab.apply(SETTINGS);
    onThePath(programs.resolve("crds/git-verify-wrapper.sh"), folder);
    var redis = "127.0.0.1:" + PrescaleInLab.freePort();
    int repositories = PrescaleInLab.freePort();
    start(programs, folder, "redis", redis);
    start(
        programs,
        folder,
        "repo-server",
        "--address=127.0.0.1",
        "--port=" + repositories,
        "--metrics-address=127.0.0.1",
        "--metrics-port=" + PrescaleInLab.freePort(),
        "--disable-tls",
        "--client-ca-path=",
        "--redis=" + redis);
    start(
        programs,
        folder,
        "application-controller",
        "--namespace=argocd",
        "--metrics-port=" + PrescaleInLab.freePort(),
        "--repo-server=127.0.0.1:" + repositories,
        "--repo-server-plaintext",
        "--redis=" + redis,
        "--app-resync=3",
        "--app-resync-jitter=0",
        "--self-heal-timeout-seconds=3",
        "--self-heal-backoff-timeout-seconds=0");
  }

  /** Which the repository server runs for each commit, signed or not. */
  private static void onThePath(Path script, Path folder) throws IOException {
    var copy = Files.copy(script, folder.resolve(script.getFileName()));
    if (!copy.toFile().setExecutable(true)) {
      throw new IOException(copy + " cannot be made executable");
    }
  }

  private static void start(Path programs, Path folder, String name, String... options)
      throws IOException {
    var command = new ArrayList<>(List.of(programs.resolve("argo-cd").toString(), name));
    command.addAll(List.of(options));
    ARGO.add(
        Replica.start(
            "argo-cd-" + name,
            command,
            Map.of(
                "KUBECONFIG",
                lab().lab().describe().kubeconfig().toString(),
                "PATH",
                folder + ":" + System.getenv("PATH"),
                "TMPDIR",
                folder.toString(),
                "ARGOCD_FAKE_IN_CLUSTER",
                "true",
                "ARGOCD_GPG_ENABLED",
                "false",
                "ARGOCD_ASK_PASS_SOCK",
                folder.resolve("ask-pass.sock").toString())));
  }

  @AfterAll
  static void stopAll() {
    ARGO.reversed().forEach(Replica::close);
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
    application("chat", "[]");
    chat.isContested();

    documentedRecipe("chat");

    patiently().until(() -> lab().replicas("chat"), replicas -> replicas == 5);
    stays(() -> lab().replicas("chat"), 5);
    patiently().until(() -> syncStatus("chat"), "Synced"::equals);
    chat.restsWhile(TOOL);
    assertThat(lab().hpas("chat")).as("Argo CD does not prune it").containsExactly("prescale-chat");
  }

  @Test
  void withServerSideApplyAnHpaFromGitIsFollowedAndNothingIsContested() throws Exception {
    lab().gauges().set("load_web", 20);
    var web = new WorkloadInGit(lab(), "web", "ExistingHPA");
    web.commit(git());
    application("web", "[ServerSideApply=true, RespectIgnoreDifferences=true]");
    var differences =
        DocumentedManifests.starting("# Argo CD").replaceAll("(?ms)^  syncPolicy.*", "");
    patch("web", differences);

    patiently().until(() -> lab().replicas("web"), replicas -> replicas == 5);
    stays(() -> lab().replicas("web"), 5);
    patiently().until(() -> syncStatus("web"), "Synced"::equals);
    web.restsWhile(TOOL);
    assertThat(lab().condition("web", "ScalingActive").get("message").asText())
        .isEqualTo("Your HorizontalPodAutoscaler in-git acts on the served values.");
  }

  private static void application(String name, String syncOptions) throws Exception {
    lab()
        .apply(
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Application
            metadata: {name: %1$s, namespace: argocd}
            spec:
              project: default
              source: {repoURL: "%2$s", path: %1$s, targetRevision: %3$s}
              destination: {server: "https://kubernetes.default.svc", namespace: %1$s}
              syncPolicy:
                automated: {prune: true, selfHeal: true}
                syncOptions: %4$s
            """
                .formatted(name, git().url(), GitServer.BRANCH, syncOptions));
  }

  /** As docs/gitops.md has it. */
  private static void documentedRecipe(String name) throws Exception {
    patch(name, DocumentedManifests.starting("# Argo CD"));
  }

  private static void patch(String name, String yaml) throws Exception {
    var file = Files.writeString(Files.createTempFile("patch", ".yaml"), yaml);
    lab()
        .kubectl(
            "patch",
            "application",
            name,
            "--namespace=argocd",
            "--type=merge",
            "--patch-file=" + file);
    Files.delete(file);
  }

  private static String syncStatus(String name) throws Exception {
    return lab().get("argocd", "application", name).at("/status/sync/status").asText();
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }

  private static GitServer git() {
    return Objects.requireNonNull(git, "the repository was not started");
  }
}
