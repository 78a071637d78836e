package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two replicas and one Lease. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
@Timeout(60)
class LeadershipTest {
  private KubernetesClient client;
  private KubernetesMockServer server;
  private final AtomicLong time = new AtomicLong();
  private final Set<String> doNotStand = ConcurrentHashMap.newKeySet();
  private final LinkedBlockingQueue<String> terms = new LinkedBlockingQueue<>();

  @Test
  void oneLeadsAndTheOtherFollowsWhenItGoes() throws Exception {
    var first = leadership("a", false);
    first.start();
    assertThat(next()).isEqualTo("a begins");
    try (var second = leadership("b", false)) {
      second.start();
      assertThat(first.leads()).isTrue();
      assertThat(second.leads()).isFalse();

      first.close();

      assertThat(next()).isEqualTo("a ends");
      assertThat(next()).isEqualTo("b begins");
      assertThat(first.leads()).isFalse();
      assertThat(second.leads()).isTrue();
    }
    assertThat(next()).isEqualTo("b ends");
    assertThat(lease().getLeaseDurationSeconds()).as("another may lead in a second").isEqualTo(1);
  }

  @Test
  void aReplicaThatCannotBeginReleasesTheLease() throws Exception {
    try (var broken = leadership("broken", true);
        var sound = leadership("sound", false)) {
      broken.start();
      assertThat(next()).isEqualTo("broken begins");
      sound.start();
      String begun = next();
      while (!begun.equals("sound begins")) {
        begun = next(); // the broken one may be the first to retry
      }
      assertThat(lease().getHolderIdentity()).isEqualTo("sound");
      assertThat(broken.leads()).isFalse();
    }
  }

  @Test
  void aProcessThatWasFrozenDoesNotLeadWhenItWakesUp() throws Exception {
    try (var leadership = leadership("a", false)) {
      leadership.start();
      assertThat(next()).isEqualTo("a begins");
      assertThat(leadership.leads()).isTrue();

      time.addAndGet(TimeUnit.SECONDS.toNanos(7));
      assertThat(leadership.leads()).isTrue();
      time.addAndGet(TimeUnit.SECONDS.toNanos(1));

      assertThat(leadership.leads()).isFalse();
    }
  }

  /** As an extender that may not watch any more, and must not hold the Lease that others need. */
  @Test
  void aReplicaThatMayNotStandLeavesTheLeaseToAnother() throws Exception {
    try (var first = leadership("a", false);
        var second = leadership("b", false)) {
      first.start();
      assertThat(next()).isEqualTo("a begins");
      second.start();

      doNotStand.add("a");
      first.resign();

      assertThat(next()).isEqualTo("a ends");
      assertThat(next()).isEqualTo("b begins");
      doNotStand.add("b");
      second.resign();
      assertThat(next()).isEqualTo("b ends");
      assertThat(terms.poll(4, TimeUnit.SECONDS)).isNull();

      doNotStand.remove("a");
      assertThat(next()).isEqualTo("a begins");
    }
  }

  /** As one that was written by hand, without a duration. */
  @Test
  void aLeaseThatMakesNoSenseIsReadAgain() throws Exception {
    var written =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName("prescale")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("x")
            .endSpec()
            .build();
    client.resource(written).create();
    try (var leadership = leadership("a", false)) {
      int before = server.getRequestCount();
      leadership.start();
      await().atMost(30, TimeUnit.SECONDS).until(() -> server.getRequestCount() > before + 1);
      assertThat(leadership.leads()).isFalse();

      client.resource(written).delete();

      assertThat(next()).isEqualTo("a begins");
    }
  }

  private Leadership leadership(String identity, boolean broken) {
    return new Leadership(
        client,
        "prescale",
        "prescale",
        identity,
        time::get,
        new Leadership.Term() {
          @Override
          public boolean mayStand() {
            return !doNotStand.contains(identity);
          }

          @Override
          public void begin() {
            terms.add(identity + " begins");
            if (broken) {
              throw new IllegalStateException("a test says so");
            }
          }

          @Override
          public void end() {
            if (!broken) {
              terms.add(identity + " ends");
            }
          }
        });
  }

  private String next() throws InterruptedException {
    return String.valueOf(terms.poll(30, TimeUnit.SECONDS));
  }

  private LeaseSpec lease() {
    return client.leases().inNamespace("prescale").withName("prescale").get().getSpec();
  }
}
