package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.at;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Balloon pods, as they are written to and read from the API server. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class LiveBalloonsTest {
  private static final BookedTemplate TEMPLATE =
      BookedTemplate.of(deployment("chat", 1)).orElseThrow();

  private static final String JOBS = "/apis/batch/v1/namespaces/prescale/jobs";
  private static final String JOB = JOBS + "/balloons-u-1";
  private static final String APPLIED = "?fieldManager=prescale-bookings&force=true";

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static GpuBooking booking() {
    return BookedServices.booking("chat", "u-1");
  }

  private static Buffer buffer(BookedTemplate template, int replicas) {
    return new Buffer(
        true,
        template.digest(),
        new Held(replicas, Optional.of(at("07:55")), Optional.empty()),
        Optional.empty());
  }

  private LiveBalloons balloons(Instant now) {
    return new LiveBalloons(client, "prescale", now);
  }

  private static String job(BookedTemplate template, int pods, String started) {
    return """
    {"metadata": {"name": "balloons-u-1", "namespace": "prescale", "resourceVersion": "7",
      "annotations": {
       "autoscaling.prescale.io/shape": "%s", %s
       "autoscaling.prescale.io/held-up-to": "2026-11-24T07:55:00Z"}},
     "spec": {"parallelism": %d, "activeDeadlineSeconds": 7200},
     "status": {"startTime": "2026-11-24T%s:00Z"}}
    """
        .formatted(
            template.digest(),
            template.isGang()
                ? "\"autoscaling.prescale.io/pods-of-replica\": \"%d\",".formatted(template.pods())
                : "",
            pods,
            started);
  }

  private void there(String... jobs) {
    server
        .expect()
        .get()
        .withPath(JOBS + "?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dprescale")
        .andReturn(200, "{\"items\": [%s]}".formatted(String.join(",", jobs)))
        .always();
  }

  /** What is written. */
  private Job applied(BookedTemplate template, int replicas, Instant now)
      throws InterruptedException {
    server.expect().patch().withPath(JOB + APPLIED).andReturn(200, "{}").once();
    balloons(now).apply(booking(), template, buffer(template, replicas));
    return Serialization.unmarshal(server.getLastRequest().getBody().readUtf8(), Job.class);
  }

  @Test
  void theyAskForWhatReplicasWillAndNoSchedulerBindsThem() throws InterruptedException {
    there();
    var job = applied(TEMPLATE, 3, at("07:45"));

    var spec = job.getSpec();
    assertThat(spec.getParallelism()).isEqualTo(3);
    assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(7200);
    var pod = spec.getTemplate().getSpec();
    assertThat(pod.getSchedulerName()).isEqualTo("prescale-balloons");
    assertThat(pod.getPriorityClassName()).isNull();
    var container = pod.getContainers().getFirst();
    assertThat(container.getResources().getRequests()).containsKey("nvidia.com/gpu");
    assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(spec.getTemplate().getMetadata().getLabels())
        .as("not the labels of the replicas, which a Service may select")
        .isEqualTo(Map.of("app.kubernetes.io/managed-by", "prescale", "hami.io/webhook", "ignore"));
    assertThat(job.getMetadata().getAnnotations())
        .containsEntry("autoscaling.prescale.io/booking", "models/chat")
        .containsEntry("autoscaling.prescale.io/held-up-to", "2026-11-24T07:55:00Z");
  }

  @Test
  void aJobThatEndsSoonIsRenewed() throws InterruptedException {
    there(job(TEMPLATE, 3, "07:45"));

    assertThat(balloons(at("08:45")).find(booking())).contains(buffer(TEMPLATE, 3));
    var ending = balloons(at("08:46")).find(booking()).orElseThrow();
    assertThat(ending.shape()).isEmpty();
    assertThat(ending.replicas()).isEqualTo(3);

    var renewed = applied(TEMPLATE, 3, at("08:46"));
    assertThat(renewed.getSpec().getActiveDeadlineSeconds()).isEqualTo(7200 + 3660);
    assertThat(renewed.getMetadata().getResourceVersion()).as("as it was read").isEqualTo("7");
  }

  @Test
  void ofAnotherTemplateTheJobIsMadeAnewAtOnce() throws InterruptedException {
    var other = BookedTemplate.of(deployment("chat", 2)).orElseThrow();
    there(job(TEMPLATE, 3, "07:45"));
    server.expect().delete().withPath(JOB).andReturn(200, "{}").once();

    var made = applied(other, 3, at("08:45"));

    assertThat(made.getSpec().getActiveDeadlineSeconds()).isEqualTo(7200);
    assertThat(made.getMetadata().getResourceVersion()).isNull();
    assertThat(server.getRequestCount()).as("a list, a deletion and a patch").isEqualTo(3);
  }

  /** A booking that was made anew has another UID. */
  @Test
  void theJobOfABookingThatIsGoneIsDeleted() throws InterruptedException {
    var others = job(TEMPLATE, 3, "07:45").replace("balloons-u-1", "backup");
    there(job(TEMPLATE, 3, "07:45"), job(TEMPLATE, 3, "07:45").replace("u-1", "u-2"), others);
    server.expect().delete().withPath(JOBS + "/balloons-u-2").andReturn(200, "{}").once();

    balloons(at("07:46")).retain(Set.of("u-1"));

    assertThat(server.getRequestCount()).isEqualTo(2);
    assertThat(server.getLastRequest().getPath()).endsWith("balloons-u-2");
  }

  @Test
  void aGangIsAsManyPods() throws InterruptedException {
    var gang = BookedTemplate.of(BookedServices.groups("llm", 4, "")).orElseThrow();

    there(job(gang, 8, "07:45"));
    var job = applied(gang, 2, at("07:45"));

    assertThat(job.getSpec().getParallelism()).isEqualTo(8);
    assertThat(job.getMetadata().getAnnotations())
        .containsEntry("autoscaling.prescale.io/pods-of-replica", "4");
    assertThat(balloons(at("07:45")).find(booking())).contains(buffer(gang, 2));
  }

  @Test
  void whatOthersHaveWrittenCountsAsNothing() {
    there(
        """
        {"metadata": {"name": "balloons-u-1", "namespace": "prescale",
         "annotations": {"autoscaling.prescale.io/pods-of-replica": "0"}},
         "spec": {"parallelism": -3}, "status": {}}
        """);

    assertThat(balloons(at("07:45")).find(booking()).orElseThrow().replicas()).isZero();
  }

  @Test
  void theirPodsAreSaidToBeUnschedulableOnce() throws InterruptedException {
    var pods = "/api/v1/namespaces/prescale/pods";
    server
        .expect()
        .get()
        .withPath(pods + "?labelSelector=job-name%3Dballoons-u-1")
        .andReturn(
            200,
            """
            {"items": [
              {"metadata": {"name": "new", "namespace": "prescale"}, "status": {}},
              {"metadata": {"name": "marked", "namespace": "prescale"},
               "status": {"conditions": [{"type": "PodScheduled", "status": "False"}]}}]}
            """)
        .once();
    server.expect().patch().withPath(pods + "/new/status").andReturn(200, "{}").once();

    balloons(at("07:45")).tend(booking());

    assertThat(server.getLastRequest().getBody().readUtf8())
        .contains("\"type\":\"PodScheduled\"", "\"reason\":\"Unschedulable\"")
        .contains("Stands for a replica that models/chat expects; it is never bound.");
  }
}
