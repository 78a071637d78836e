package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResourceBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a pod to what is suspended with it. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class OwnersTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private KubernetesMockServer server;
  private KubernetesClient client;
  private InstalledKinds kinds;
  private Owners owners;
  private int minutes;

  @BeforeEach
  void withoutRepetitions() {
    var api = ApiWithoutRepetition.of(client);
    kinds = new InstalledKinds(api, Runnable::run);
    owners = new Owners(api, kinds, Runnable::run);
  }

  private void installed(String version, String... plurals) {
    var resources =
        List.of(plurals).stream()
            .map(plural -> new APIResourceBuilder().withName(plural).build())
            .toList();
    server
        .expect()
        .get()
        .withPath("/apis/" + version)
        .andReturn(200, new APIResourceListBuilder().withResources(resources).build())
        .always();
    kinds.at(NOW.plusSeconds(60L * minutes++));
  }

  private void object(String path, String kind, String name, String owner, String spec) {
    var object = ApiWithoutRepetition.workload(kind, owner, spec);
    object.getMetadata().setName(name);
    object.getMetadata().setUid("uid-" + name);
    server
        .expect()
        .get()
        .withPath("/apis/%s/%s".formatted(path, name))
        .andReturn(200, object)
        .always();
  }

  private static String ownedBy(String version, String kind, String name) {
    return ", ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: uid-%s, controller: true}]"
        .formatted(version, kind, name, name);
  }

  private static PodTerms pod(String version, String kind, String owner, String... labels) {
    var made = ApiWithoutRepetition.podOf(owner, "p-" + owner);
    var marked = new PodBuilder(made).editMetadata();
    for (var label : labels) {
      marked = marked.addToLabels(label, "x");
    }
    return PodTerms.of(
        marked
            .editFirstOwnerReference()
            .withApiVersion(version)
            .withKind(kind)
            .endOwnerReference()
            .endMetadata()
            .build());
  }

  private static PodTerms podOfJobSet(String job) {
    return pod("batch/v1", "Job", job, "jobset.sigs.k8s.io/jobset-name");
  }

  private String found(PodTerms pod) {
    return owners.of(pod).workload().map(Suspendable::key).orElse("none");
  }

  @Test
  void aPodOfAJobIsKnownWithoutReading() {
    assertThat(found(pod("batch/v1", "Job", "j"))).isEqualTo("Job default/j");
    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void aPodOfATrainJobIsFoundByItsJobAndItsJobSet() {
    installed("jobset.x-k8s.io/v1alpha2", "jobsets");
    installed("trainer.kubeflow.org/v1alpha1", "trainjobs");
    var set = ownedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "t");
    object("batch/v1/namespaces/default/jobs", "Job", "t-node-0", set, "{}");
    object("batch/v1/namespaces/default/jobs", "Job", "t-node-1", set, "{}");
    var train = ownedBy("trainer.kubeflow.org/v1alpha1", "TrainJob", "t");
    object("jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets", "JobSet", "t", train, "{}");
    object("trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs", "TrainJob", "t", "", "{}");
    var pods = List.of(podOfJobSet("t-node-0"), podOfJobSet("t-node-1"));
    assertThat(owners.of(pods.getFirst()).isUnknown()).isTrue();

    int before = server.getRequestCount();
    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsOnly("TrainJob default/t");
    assertThat(server.getRequestCount() - before).as("each is read once").isEqualTo(4);
    owners.read(pods, NOW.plusSeconds(1));
    assertThat(server.getRequestCount() - before).isEqualTo(4);
  }

  /** With runLauncherAsWorker the launcher has cards; it is a Job's, the workers the MPIJob's. */
  @Test
  void theLauncherOfAnMpiJobIsFoundAsItsWorkersAre() {
    installed("kubeflow.org/v2beta1", "mpijobs");
    var mpi = ownedBy("kubeflow.org/v2beta1", "MPIJob", "m");
    object("batch/v1/namespaces/default/jobs", "Job", "m-launcher", mpi, "{}");
    object("kubeflow.org/v2beta1/namespaces/default/mpijobs", "MPIJob", "m", "", "{}");
    var label = "training.kubeflow.org/job-name";
    var pods =
        List.of(
            pod("batch/v1", "Job", "m-launcher", label),
            pod("kubeflow.org/v2beta1", "MPIJob", "m", label));

    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsOnly("MPIJob default/m");
  }

  @Test
  void ownersThatCannotBeReadLeaveOthersTheirTurn() {
    var pods = new ArrayList<PodTerms>();
    for (int i = 0; i < 2 * Owners.MOST_REQUESTS; i++) {
      var path = "/apis/batch/v1/namespaces/default/jobs/bad" + i;
      server.expect().get().withPath(path).andReturn(403, "{}").always();
      pods.add(podOfJobSet("bad" + i));
    }
    object("batch/v1/namespaces/default/jobs", "Job", "good", "", "{}");
    pods.add(podOfJobSet("good"));

    for (int round = 0; round < 3; round++) {
      owners.read(pods, NOW.plusMillis(300L * round));
    }

    assertThat(found(pods.getLast())).isEqualTo("Job default/good");
  }

  /** Otherwise those that are known would get their notice first, and alone. */
  @Test
  void aWorkloadIsUnknownUntilAllItsPodsAreUnlessItIsAskedAlready() {
    installed("jobset.x-k8s.io/v1alpha2", "jobsets");
    var set = ownedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "s");
    object("jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets", "JobSet", "s", "", "{}");
    var pods = new ArrayList<PodTerms>();
    for (int i = 0; i < 30; i++) {
      object("batch/v1/namespaces/default/jobs", "Job", "s-" + i, set, "{}");
      pods.add(podOfJobSet("s-" + i));
    }

    owners.read(pods, NOW);
    assertThat(pods).allMatch(pod -> owners.of(pod).isUnknown());
    assertThat(found(pod("batch/v1", "Job", "j"))).isEqualTo("Job default/j");
    owners.read(pods, NOW.plusSeconds(1));
    assertThat(pods).extracting(this::found).containsOnly("JobSet default/s");

    object("batch/v1/namespaces/default/jobs", "Job", "s-30", set, "{}");
    pods.add(podOfJobSet("more"));
    server
        .expect()
        .get()
        .withPath("/apis/batch/v1/namespaces/default/jobs/more")
        .andReturn(500, "{}")
        .always();
    pods.add(noticed("s-30"));
    owners.read(pods, NOW.plusSeconds(2));
    assertThat(pods).filteredOn(pod -> owners.of(pod).isUnknown()).hasSize(1);
  }

  private static PodTerms noticed(String job) {
    var notice = Map.of(PodTerms.AT, "2026-11-24T12:00:00Z", PodTerms.FOR, "c");
    return PodTerms.of(
        new PodBuilder(ApiWithoutRepetition.podOf(job, "p-" + job))
            .editMetadata()
            .addToAnnotations(notice)
            .addToLabels("jobset.sigs.k8s.io/jobset-name", "x")
            .endMetadata()
            .build());
  }

  @Test
  void aPodOfARayJobIsFoundByItsCluster() {
    installed("ray.io/v1", "rayjobs", "rayclusters");
    var job = ownedBy("ray.io/v1", "RayJob", "r");
    object("ray.io/v1/namespaces/default/rayclusters", "RayCluster", "r-x", job, "{}");
    object("ray.io/v1/namespaces/default/rayclusters", "RayCluster", "alone", "", "{}");
    object(
        "ray.io/v1/namespaces/default/rayjobs",
        "RayJob",
        "r",
        "",
        "{shutdownAfterJobFinishes: true}");
    var pods =
        List.of(pod("ray.io/v1", "RayCluster", "r-x"), pod("ray.io/v1", "RayCluster", "alone"));

    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsExactly("RayJob default/r", "none");
    assertThat(owners.of(pods.getLast()).isUnknown()).isFalse();
  }

  @Test
  void ofAKindThatIsNotInstalledNothingIsRead() {
    kinds.at(NOW);
    int before = server.getRequestCount();
    var pods =
        List.of(pod("kubeflow.org/v1", "PyTorchJob", "t"), pod("apps/v1", "ReplicaSet", "d"));

    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsOnly("none");
    assertThat(owners.of(pods.getFirst()).isUnknown()).isFalse();
    assertThat(server.getRequestCount()).isEqualTo(before);
  }

  /** Its label says what it wants; its owners say what is so. */
  @Test
  void aPodThatOnlySaysThatItIsOfAJobSetLeavesWithItsJob() {
    object("batch/v1/namespaces/default/jobs", "Job", "j", "", "{}");
    var pod = podOfJobSet("j");

    owners.read(List.of(pod), NOW);

    assertThat(found(pod)).isEqualTo("Job default/j");
  }

  @Test
  void ownersThatAreGoneReplacedOrInACircleAreNone() {
    installed("jobset.x-k8s.io/v1alpha2", "jobsets");
    object("batch/v1/namespaces/default/jobs", "Job", "a", ownedBy("batch/v1", "Job", "b"), "{}");
    object("batch/v1/namespaces/default/jobs", "Job", "b", ownedBy("batch/v1", "Job", "a"), "{}");
    var replaced =
        ownedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "s").replace("uid-s", "uid-before");
    object("batch/v1/namespaces/default/jobs", "Job", "c", replaced, "{}");
    object("jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets", "JobSet", "s", "", "{}");
    var pods = List.of(podOfJobSet("a"), podOfJobSet("c"), podOfJobSet("gone"));

    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsOnly("none");
    assertThat(pods).noneMatch(pod -> owners.of(pod).isUnknown());
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 500})
  void aPodWhoseOwnerCannotBeReadStaysUnknownAndIsTriedAgain(int code) {
    var path = "/apis/batch/v1/namespaces/default/jobs/j";
    server.expect().get().withPath(path).andReturn(code, "{}").once();
    object("batch/v1/namespaces/default/jobs", "Job", "j", "", "{}");
    var pod = podOfJobSet("j");

    owners.read(List.of(pod), NOW);
    assertThat(owners.of(pod).isUnknown()).isTrue();
    owners.read(List.of(pod), NOW.plusSeconds(2));

    assertThat(found(pod)).isEqualTo("Job default/j");
  }

  @Test
  void aFewAreReadAtATimeAndThoseWithNoticeFirst() {
    var pods = new ArrayList<>(IntStream.range(0, 50).mapToObj(i -> podOfJobSet("j" + i)).toList());
    var noticed = noticed("k");
    pods.add(noticed);

    owners.read(pods, NOW);

    assertThat(server.getRequestCount()).isEqualTo(Owners.MOST_REQUESTS + 1);
    assertThat(owners.of(noticed).isUnknown()).isFalse();
    assertThat(pods).filteredOn(pod -> owners.of(pod).isUnknown()).hasSize(30);
  }
}
