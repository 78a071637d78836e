package io.prescale.controller.states;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class SavedStatesTest {
  private static final String PAGE = "prescale-states-007";
  private static final String PATH = "/api/v1/namespaces/prescale/configmaps/" + PAGE;

  /** UIDs that share a page. */
  private static final List<String> UIDS =
      IntStream.range(0, 100_000)
          .mapToObj(i -> "uid-" + i)
          .filter(uid -> SavedStates.pageOf(uid).equals(PAGE))
          .limit(60)
          .toList();

  private final AtomicBoolean leads = new AtomicBoolean(true);
  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private KubernetesClient client;
  private KubernetesMockServer server;
  private SavedStates states;

  @BeforeEach
  void create() {
    states = states();
  }

  private SavedStates states() {
    return states(client);
  }

  private SavedStates states(KubernetesClient using) {
    return new SavedStates(
        using,
        "prescale",
        _ -> leads.get(),
        now::get,
        new Telemetry(InstantSource.fixed(NOON)),
        Duration.ofMillis(200));
  }

  @AfterEach
  void close() {
    states.close();
  }

  @Test
  void whatOneLeaderSavesAnotherReads() {
    states.keep(UIDS.get(0), target(NOON, 20_000));
    states.keep(UIDS.get(1), target(NOON, 300));
    await().until(() -> entries().size() == 2);
    assertThat(page().getMetadata().getResourceVersion()).as("one write").isEqualTo("1");

    try (var other = states()) {
      var read = other.of(UIDS.get(0)).orElseThrow();
      assertThat(read.savedAt()).isEqualTo(NOON);
      assertThat(read.metrics()).containsOnlyKeys("requests", "tokens");
      assertThat(read.metrics().get("requests").query()).isEqualTo(42);
      assertThat(read.metrics().get("requests").state())
          .isEqualTo(target(NOON, 20_000).metrics().get("requests").state());
      assertThat(other.of(UIDS.get(1))).isPresent();
      assertThat(other.of(UIDS.get(2))).isEmpty();
    }
  }

  @Test
  void aPageIsReadOnceForAllThatShareIt() {
    put(Map.of(UIDS.get(0), target(NOON, 9).toBytes(), UIDS.get(1), target(NOON, 9).toBytes()));

    assertThat(states.of(UIDS.get(0))).isPresent();
    int requests = server.getRequestCount();
    assertThat(states.of(UIDS.get(1))).isPresent();
    assertThat(states.of(UIDS.get(0))).as("given once").isEmpty();
    states.outdate(position -> position != 7 / 128.0);
    assertThat(states.of(UIDS.get(0))).as("others have moved").isEmpty();
    assertThat(server.getRequestCount()).isEqualTo(requests);
    states.outdate(position -> position == 7 / 128.0);
    assertThat(states.of(UIDS.get(0))).isPresent();
    assertThat(server.getRequestCount()).isEqualTo(requests + 1);

    now.set(NOON.plusSeconds(90));
    assertThat(states.of(UIDS.get(0))).isPresent();
  }

  @Test
  void statesOfOthersStayAndThoseOfThePastGo() {
    put(
        Map.of(
            UIDS.get(1), target(NOON.minus(Duration.ofHours(40)), 9).toBytes(),
            UIDS.get(2), target(NOON.minus(Duration.ofHours(60)), 9).toBytes(),
            UIDS.get(3), new byte[] {1, 2, 3}));

    states.keep(UIDS.get(0), target(NOON, 9));

    await().until(() -> entries().containsKey(UIDS.get(0)));
    assertThat(entries()).containsOnlyKeys(UIDS.get(0), UIDS.get(1));
  }

  @Test
  void theStateOfADeletedPredictiveHpaIsRemoved() {
    states.keep(UIDS.get(0), target(NOON, 9));
    states.keep(UIDS.get(1), target(NOON, 9));
    await().until(() -> entries().size() == 2);

    states.forget(UIDS.get(0));

    await().until(() -> entries().size() == 1);
    assertThat(entries()).containsOnlyKeys(UIDS.get(1));
  }

  @Test
  void aFullPageKeepsWhatItHas() {
    var big = new HashMap<String, byte[]>();
    UIDS.subList(0, 36).forEach(uid -> big.put(uid, target("of-" + uid, NOON, 24_000).toBytes()));
    put(big);

    states.keep(UIDS.get(40), target("a", NOON, 24_000));
    states.keep(UIDS.get(41), target("b", NOON, 24_000));
    states.keep(UIDS.get(0), target("of-" + UIDS.get(0), NOON.plusSeconds(60), 24_000));

    await().until(() -> !Arrays.equals(entries().get(UIDS.get(0)), big.get(UIDS.get(0))));
    assertThat(entries()).as("room for one of two").hasSize(37);
    assertThat(entries().values().stream().mapToInt(it -> it.length).sum())
        .isLessThanOrEqualTo(StatePage.MOST_BYTES);
  }

  /** A namespace may have hundreds of PredictiveHPAs, each with several metrics. */
  @Test
  void aNamespaceLeavesAsMuchRoomAsItTakes() {
    UIDS.subList(0, 40).forEach(uid -> states.keep(uid, target("large", NOON, 24_000)));
    await("half of a page of 900 KB").until(() -> entries().size() == 19);
    var kept = entries().keySet();

    UIDS.subList(40, 60).forEach(uid -> states.keep(uid, target("small", NOON, 24_000)));
    await("half of what is left").until(() -> entries().size() == 19 + 10);
    assertThat(entries().keySet()).containsAll(kept);

    var some = List.copyOf(kept);
    states.keep(some.get(0), target("large", NOON, 30_000));
    some.subList(1, 19)
        .forEach(uid -> states.keep(uid, target("large", NOON.plusSeconds(60), 24_000)));
    await().until(() -> savedAt(NOON.plusSeconds(60)) == 18);
    assertThat(entries().get(some.get(0))).as("may not grow").hasSizeLessThan(25_000);
  }

  private long savedAt(Instant time) {
    return entries().values().stream()
        .filter(it -> SavedTarget.of(it).orElseThrow().savedAt().equals(time))
        .count();
  }

  @Test
  void whoDoesNotLeadWritesNothing() {
    leads.set(false);
    states.keep(UIDS.get(0), target(NOON, 9));
    await().during(Duration.ofMillis(500)).until(() -> page() == null);

    leads.set(true);
    states.keep(UIDS.get(1), target(NOON, 9));
    await().until(() -> page() != null);
    assertThat(entries()).containsOnlyKeys(UIDS.get(1));
  }

  @Test
  void aFailureThatMayPassIsRepeated() {
    put(Map.of());
    server.expect().patch().withPath(PATH).andReturn(500, "{}").times(2);

    states.keep(UIDS.get(0), target(NOON, 9));

    await().until(() -> entries().containsKey(UIDS.get(0)));
  }

  @Test
  void withoutPermissionThereIsNoStateAndNoError() {
    var forbidden = new StatusBuilder().withCode(403).withMessage("no").build();
    server.expect().get().withPath(PATH).andReturn(403, forbidden).always();

    assertThat(states.of(UIDS.get(0))).isEmpty();
  }

  @Test
  void anApiServerThatFailsIsAskedAgainByTheNextTick() {
    server.expect().get().withPath(PATH).andReturn(500, "{}").once();
    put(Map.of(UIDS.get(0), target(NOON, 9).toBytes()));
    var config = new ConfigBuilder(client.getConfiguration()).withRequestRetryBackoffLimit(0);
    try (var once = new KubernetesClientBuilder().withConfig(config.build()).build();
        var asking = states(once)) {
      assertThatThrownBy(() -> asking.of(UIDS.get(0)))
          .isInstanceOf(KubernetesClientException.class);
      assertThat(asking.of(UIDS.get(0))).isPresent();
    }
  }

  @Test
  void damagedBytesAreNoStateOrHaveTheirSize() {
    var bytes = target(NOON, 500).toBytes();
    var random = new SplittableRandom(3);
    assertThat(SavedTarget.of(new byte[0])).isEmpty();
    for (int i = 0; i < 2_000; i++) {
      var damaged = Arrays.copyOf(bytes, random.nextInt(bytes.length + 9));
      for (int flips = 0; flips < 3 && damaged.length > 0; flips++) {
        damaged[random.nextInt(Math.min(40, damaged.length))] ^= (byte) (1 << random.nextInt(8));
      }
      SavedTarget.of(damaged)
          .ifPresent(
              it ->
                  assertThat(it.metrics().values().stream().mapToInt(m -> m.state().length).sum())
                      .isLessThan(damaged.length));
    }
  }

  private static SavedTarget target(Instant savedAt, int bytes) {
    return target("team", savedAt, bytes);
  }

  private static SavedTarget target(String namespace, Instant savedAt, int bytes) {
    var state = new byte[bytes];
    new Random(5).nextBytes(state);
    return new SavedTarget(
        namespace,
        savedAt,
        Map.of(
            "requests",
            new SavedTarget.Metric(42, state),
            "tokens",
            new SavedTarget.Metric(43, new byte[0])));
  }

  private ConfigMap page() {
    return client.configMaps().inNamespace("prescale").withName(PAGE).get();
  }

  private Map<String, byte[]> entries() {
    var page = page();
    var entries = new HashMap<String, byte[]>();
    if (page != null && page.getBinaryData() != null) {
      page.getBinaryData().entrySet().stream()
          .filter(it -> it.getValue() != null) // as which the mock server keeps what is removed
          .forEach(it -> entries.put(it.getKey(), Base64.getDecoder().decode(it.getValue())));
    }
    return entries;
  }

  private void put(Map<String, byte[]> entries) {
    StoredStates.put(client, PAGE, entries);
  }
}
