package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.prescale.controller.MockApi;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two pods, each with a kube-scheduler and an extender; this extender is in pod-a. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class SchedulerLeaseTest {
  private final AtomicLong nanos = new AtomicLong();
  private KubernetesClient client;
  private SchedulerLease lease;

  @BeforeEach
  void beginWithoutALease() {
    var of = new ExtenderSettings.Lease.OfScheduler("prescale", "prescale-scheduler", "pod-a");
    lease = new SchedulerLease(client, of, nanos::get);
    lease.look();
    assertThat(lease.leads()).isFalse();
  }

  private void isHeldBy(String identity) {
    var held =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName("prescale-scheduler")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(identity)
            .endSpec()
            .build();
    client.resource(held).createOr(NonDeletingOperation::update);
    lease.look();
  }

  @Test
  void itLeadsWhileTheKubeSchedulerOfItsPodDoes() {
    isHeldBy("pod-a_8d3f");
    assertThat(lease.leads()).isTrue();

    isHeldBy("pod-ab_77aa");
    assertThat(lease.leads()).as("of a pod whose name begins alike").isFalse();
    isHeldBy(null);
    assertThat(lease.leads()).isFalse();
    isHeldBy("pod-a_901c");
    assertThat(lease.leads()).isTrue();
  }

  @Test
  void whatWasReadIsTrustedForSixSeconds() {
    isHeldBy("pod-a_8d3f");
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(lease.leads()).isTrue();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(lease.leads()).isFalse();
  }
}
