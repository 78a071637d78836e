package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the history in Prometheus to the cards, with nothing played: the leader forecasts a morning
 * and books cards, the extender gives training notice and suspends it, the stock HPA reads the
 * served value and creates replicas, the scheduler binds them, and training goes on when the
 * morning is over. Drawn in {@code target/lab}.
 */
class ForecastMorningLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration HISTORY = Duration.ofDays(14);
  private static final Duration QUARTER = Duration.ofMinutes(15);

  /** From the start of the test until the leader trusts its forecasts and has booked. */
  private static final Duration UNTIL_BOOKED = Duration.ofMinutes(10);

  private static final Duration BUSY = Duration.ofMinutes(20);
  private static final Duration GRACE = Duration.ofSeconds(15);

  /** Eight replicas' demand by night, 31 in the morning, 37 in its highest minute. */
  private static final double CAPACITY = 15.0 / PeakMorning.TROUGH;

  private static final int GUARANTEE = 40;

  private static final int CARDS = MorningWorkloads.NODES * HamiVendor.CARDS;
  private static final LabPrometheus PROMETHEUS = BookedMorning.prometheusIn("morning-");

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(
          MorningWorkloads.NODES,
          "--hpa-sync-period=5s",
          "--prometheus-config=" + PROMETHEUS.config());

  @TempDir private static Path folder;

  @Test
  void trainingMakesRoomBeforeTheStockHpaCreatesReplicas() throws Exception {
    var morning = morning(CLOCK.instant());
    var load = new OfficeDays(morning, BUSY);
    MorningWorkloads.onlyHygon(lab());
    try (var exporter = LoadExporter.start(load, CLOCK);
        var client = LabObjects.client(lab());
        var watch = new MorningWatch(client, GRACE, CLOCK)) {
      PROMETHEUS.fill(lab(), exporter, load, CLOCK.instant().minus(HISTORY), CLOCK.instant());
      var prescale = PrescaleInLab.install(lab(), folder);
      EXTENDER.startAgain("ForecastMorningLabIT-extender"); // with the definition of GpuBookings
      lab()
          .apply(
              new Helm("helm4", lab(), folder)
                  .template(
                      "--set=bookings.enabled=true", "--show-only=templates/bookings-rbac.yaml"));
      lab()
          .apply(
              MorningWorkloads.queues(GUARANTEE, GRACE)
                  + MorningWorkloads.service(
                      MorningWorkloads.SHARED, "serviceAccountName: default"));
      patiently().until(watch::replicas, it -> it == PeakMorning.TROUGH);
      lab()
          .apply(MorningWorkloads.training(MorningWorkloads.SHARED, "serviceAccountName: default"));
      patiently().until(watch::trainingPods, it -> it == MorningWorkloads.BORROWED);
      lab()
          .apply(
              LabObjects.predictiveHpa(
                  "chat",
                  CAPACITY,
                  "step: 60s, history: 336h",
                  "  leadTime: 2m\n  booking: {mode: Book}\n"
                      + "  behavior: {scaleDown: {stabilizationWindowSeconds: 60}}"));
      try (var _ = prescale.start("ForecastMorningLabIT", "--bookings", "--bookings-every=2s")) {
        awaitBooked(client);
        assertThat(CLOCK.instant()).as("it is still night").isBefore(morning.minus(GRACE));
        awaitNight(watch);
        watch.begin();
        var booked = new AtomicInteger();
        var seen = record(watch, load, client, booked);
        judge(seen, booked.get(), morning);
      }
      EXTENDER.cluster().assertNothingIsDoubleBooked();
    }
  }

  /** Five minutes into a quarter of an hour, whose cards are booked as a whole. */
  private static Instant morning(Instant now) {
    long quarters = Math.ceilDiv(now.plus(UNTIL_BOOKED).getEpochSecond(), QUARTER.toSeconds());
    return Instant.ofEpochSecond(quarters * QUARTER.toSeconds()).plus(5, ChronoUnit.MINUTES);
  }

  private static void awaitBooked(KubernetesClient client) {
    patiently()
        .atMost(UNTIL_BOOKED)
        .untilAsserted(
            () ->
                assertThat(BookedMorning.status(client).map(BookingStatus::reason))
                    .contains(BookingReason.Booked));
  }

  /** The first replicas that the HPA adds take cards back without a booking. */
  private static void awaitNight(MorningWatch watch) {
    patiently()
        .atMost(UNTIL_BOOKED)
        .until(
            () -> {
              watch.end();
              return watch.sample(Duration.ZERO, PeakMorning.TROUGH);
            },
            ForecastMorningLabIT::isNight);
  }

  /**
   * Until training has its cards again after the morning.
   *
   * @param booked replicas for which cards are kept when the HPA begins to create them
   */
  private static MorningRecording record(
      MorningWatch watch, OfficeDays load, KubernetesClient client, AtomicInteger booked)
      throws Exception {
    var start = CLOCK.instant();
    var end = load.morning().plus(BUSY).plus(QUARTER.multipliedBy(2));
    var samples = new ArrayList<MorningRecording.Sample>();
    for (var now = start; now.isBefore(end); now = CLOCK.instant()) {
      watch.end();
      int needed = (int) Math.ceil(load.at(now) / CAPACITY);
      samples.add(watch.sample(Duration.between(start, now), needed));
      if (now.isBefore(load.morning()) && samples.getLast().ready() <= 2 * PeakMorning.TROUGH) {
        booked.set(most(client) - samples.getLast().ready());
      }
      if (now.isAfter(load.morning().plus(BUSY)) && isNight(samples.getLast())) {
        break;
      }
      Thread.sleep(500);
    }
    return new MorningRecording(
        "Booked by the forecast, created by the stock HPA",
        samples,
        watch.bindings(),
        watch.evictions(true),
        watch.evictions(false));
  }

  /** The most replicas for which cards are wanted, running ones included. */
  private static int most(KubernetesClient client) {
    return BookedMorning.status(client).flatMap(it -> Optional.ofNullable(it.replicas())).orElse(0);
  }

  /** The service keeps a few replicas for its noise, and training has all other cards. */
  private static boolean isNight(MorningRecording.Sample sample) {
    return sample.ready() <= 2 * PeakMorning.TROUGH
        && sample.ready() + sample.training() >= CARDS - 1;
  }

  private static void judge(MorningRecording seen, int booked, Instant morning) throws Exception {
    System.out.println("Booked when the HPA began: " + booked);
    System.out.println(MorningRecording.table(List.of(seen)));
    var file = Replica.logs().resolve("forecast-morning.svg");
    Files.writeString(file, MorningChart.svg(List.of(seen)));
    System.out.println("Drawn: " + file + ", of the morning at " + morning);
    var samples = seen.samples();
    var busy = samples.stream().filter(it -> it.needed() > 2 * PeakMorning.TROUGH).toList();
    assertThat(busy.getFirst().ready())
        .as("replicas that serve when the morning begins")
        .isGreaterThanOrEqualTo(busy.getFirst().needed());
    assertThat(seen.overloadedSeconds())
        .as("of twenty minutes with a noise of a tenth each minute")
        .isLessThanOrEqualTo(60);
    assertThat(booked).as("most of the rise").isGreaterThanOrEqualTo(PeakMorning.PEAK / 2);
    assertThat(seen.boundAtOnce())
        .as("all that are booked; a few before and beyond wait for cards with notice")
        .isGreaterThanOrEqualTo(booked);
    assertThat(seen.slowestBinding()).isLessThanOrEqualTo(GRACE.plusSeconds(15));
    assertThat(seen.withNotice()).isGreaterThanOrEqualTo(PeakMorning.PEAK / 2);
    assertThat(seen.withoutNotice()).isZero();
    assertThat(samples.getFirst()).matches(ForecastMorningLabIT::isNight, "training has the rest");
    assertThat(samples.getLast()).matches(ForecastMorningLabIT::isNight, "training has it again");
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
