package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.placement.inventory.SeriesMatchers;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the series of HAMi's monitor through Prometheus to what pods use. */
class MemoryWatchTest {
  private static final Instant NOW = Instant.parse("2026-01-01T06:00:00Z");
  private static final Duration WINDOW = Duration.ofHours(2);
  private static final long MIB = 1L << 20;

  /** A value every 15 s until now, which alternates between mean minus and plus deviation. */
  private static Stream<String> series(
      String name, Duration length, double mean, double deviation) {
    var from = NOW.minus(length).getEpochSecond();
    return IntStream.rangeClosed(0, (int) (length.toSeconds() / 15))
        .mapToObj(
            step ->
                "%s %s %d"
                    .formatted(
                        name, mean + (step % 2 == 0 ? deviation : -deviation), from + 15L * step));
  }

  private static String used(String pod, String container) {
    return "hami_vgpu_memory_used_bytes{job=\"hami\",namespace=\"team\",pod=\"%s\",container=\"%s\",device_uuid=\"GPU-1\",vdevice_index=\"0\"}"
        .formatted(pod, container);
  }

  /** Without twenty minutes in the middle of the window. */
  private static boolean isNoHole(String line) {
    long ago = NOW.getEpochSecond() - Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    return ago < 3600 || ago > 4800;
  }

  private static String limit(String pod, String container) {
    return used(pod, container).replace("used", "limit");
  }

  private static Stream<String> history() {
    var longer = WINDOW.plusHours(1);
    return Stream.of(
            series(used("old", "a"), longer, 1000 * MIB, 100 * MIB),
            series(used("old", "b"), longer, 500 * MIB, 50 * MIB),
            series(limit("old", "a"), longer, 4000 * MIB, 0),
            series(limit("old", "b"), longer, 2000 * MIB, 0),
            series(used("young", "a"), WINDOW.minusMinutes(10), 1000 * MIB, 0),
            series(limit("young", "a"), WINDOW.minusMinutes(10), 4000 * MIB, 0),
            series(used("half", "a"), longer, 1000 * MIB, 0),
            series(used("half", "b"), WINDOW.minusMinutes(10), 500 * MIB, 0),
            series(limit("half", "a"), longer, 4000 * MIB, 0),
            series(limit("half", "b"), WINDOW.minusMinutes(10), 2000 * MIB, 0),
            series(used("holed", "a"), longer, 1000 * MIB, 0).filter(MemoryWatchTest::isNoHole),
            series(limit("holed", "a"), longer, 4000 * MIB, 0),
            series(used("ended", "a"), longer, 1000 * MIB, 0).limit(480),
            series(limit("ended", "a"), longer, 4000 * MIB, 0))
        .flatMap(lines -> lines);
  }

  @Test
  void aRealPrometheusTellsMeansAndDeviationsOfPodsAndCards(@TempDir Path folder) throws Exception {
    var observed = new ArrayList<ObservedMemory>();
    try (var prometheus = RealPrometheus.start(folder, history())) {
      watch(PrometheusServer.at(prometheus.url()), () -> NOW, observed).round();
    }

    assertThat(observed).hasSize(1);
    var memory = observed.getFirst();
    assertThat(memory.since()).isEqualTo(NOW.minus(WINDOW));
    assertThat(memory.shares()).containsOnlyKeys(share("old"), share("half"));
    var old = Objects.requireNonNull(memory.shares().get(share("old")));
    assertThat(old.meanMib()).as("both containers").isCloseTo(1500, within(1.0));
    assertThat(old.deviationMib()).isCloseTo(150, within(0.1));
    assertThat(old.limitMib()).isEqualTo(6000);
    assertThat(Objects.requireNonNull(memory.shares().get(share("half"))).limitMib())
        .as("less than the pod was promised")
        .isEqualTo(4000);
  }

  /** A pod that is scraped can say so little of itself that others are placed beside it. */
  @Test
  void whatAPodSaysOfItselfDoesNotCountWhereASelectorNamesTheMonitor(@TempDir Path folder)
      throws Exception {
    var longer = WINDOW.plusHours(1);
    var forged =
        Stream.of(
                series(used("forger", "a"), longer, MIB, 0),
                series(limit("forger", "a"), longer, 4000 * MIB, 0))
            .flatMap(lines -> lines)
            .map(line -> line.replace("job=\"hami\"", "job=\"pods\""));
    var believed = new ArrayList<ObservedMemory>();
    var observed = new ArrayList<ObservedMemory>();
    try (var prometheus = RealPrometheus.start(folder, Stream.concat(history(), forged))) {
      var server = PrometheusServer.at(prometheus.url());
      watch(server, () -> NOW, believed).round();
      watch(server, new SeriesMatchers("job=\"hami\""), () -> NOW, observed).round();
    }

    assertThat(believed.getFirst().shares())
        .containsOnlyKeys(share("old"), share("half"), share("forger"));
    assertThat(observed.getFirst().shares()).containsOnlyKeys(share("old"), share("half"));
  }

  private static Share share(String pod) {
    return new Share("team", pod, "GPU-1");
  }

  @Test
  void whatWasObservedCountsForFourMorePausesWithoutAnAnswer() throws Exception {
    var one =
        "{\"metric\":{\"namespace\":\"n\",\"pod\":\"p\",\"device_uuid\":\"G\"},\"values\":[[%d,\"5\"]]}"
            .formatted(NOW.getEpochSecond());
    var observed = new ArrayList<ObservedMemory>();
    var now = new AtomicReference<>(NOW);
    var answer = json(matrix(one));
    try (var server = new ScriptedServer(answer, answer, answer, status(503, ""))) {
      var watch = watch(PrometheusServer.at(server.url()), now::get, observed);
      watch.round();
      now.set(NOW.plus(watch.pause().multipliedBy(4)));
      watch.round();
      assertThat(observed).hasSize(1);
      assertThat(observed.getFirst().shares()).hasSize(1);

      now.set(now.get().plusSeconds(1));
      watch.round();
      assertThat(observed.getLast()).isEqualTo(ObservedMemory.NONE);
    }
  }

  @Test
  void asksTenTimesInAWindowOrEveryFiveMinutes() throws Exception {
    assertThat(pause(Duration.ofMinutes(2))).isEqualTo(Duration.ofSeconds(12));
    assertThat(pause(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(5));
  }

  private static Duration pause(Duration window) throws Exception {
    var server = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    try (var client = new PrometheusClient(server, Patience.defaults())) {
      var clock = InstantSource.fixed(NOW);
      return new MemoryWatch(new Exporters(client, SeriesMatchers.NONE), clock, window, _ -> {})
          .pause();
    }
  }

  private static MemoryWatch watch(
      PrometheusServer server, InstantSource clock, List<ObservedMemory> observed)
      throws Exception {
    return watch(server, SeriesMatchers.NONE, clock, observed);
  }

  private static MemoryWatch watch(
      PrometheusServer server,
      SeriesMatchers exporters,
      InstantSource clock,
      List<ObservedMemory> observed)
      throws Exception {
    var second = Duration.ofSeconds(30);
    var client =
        new PrometheusClient(server, new Patience(second, second, 1, Duration.ZERO, Duration.ZERO));
    return new MemoryWatch(new Exporters(client, exporters), clock, WINDOW, observed::add);
  }
}
