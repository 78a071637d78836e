package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.lab.Recording.Moment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/** Watches how Deployments of the namespace default keep up with a load. */
final class RunRecorder {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final KubernetesClient client;
  private final DailyLoad load;
  private final double capacity;
  private final InstantSource clock;
  private final List<Track> tracks = new ArrayList<>();

  /** The value that the HPA of a Deployment is given at the moment. */
  @FunctionalInterface
  interface Given {
    OptionalDouble value() throws Exception;
  }

  /** One Deployment. */
  private record Track(String deployment, Given given, List<Moment> moments) {}

  /**
   * Watches nothing yet.
   *
   * @param capacity demand that one replica can serve
   */
  RunRecorder(KubernetesClient client, DailyLoad load, double capacity, InstantSource clock) {
    this.client = client;
    this.load = load;
    this.capacity = capacity;
    this.clock = clock;
  }

  void watch(String deployment, Given given) {
    tracks.add(new Track(deployment, given, new ArrayList<>()));
  }

  /** Takes a sample about every second until a time is over. */
  List<Recording> recordUntil(Instant end) throws Exception {
    while (clock.instant().isBefore(end)) {
      var began = clock.instant();
      for (var track : tracks) {
        track.moments().add(moment(track));
      }
      var left = PERIOD.minus(Duration.between(began, clock.instant()));
      if (left.isPositive()) {
        Thread.sleep(left);
      }
    }
    return tracks.stream()
        .map(track -> new Recording(track.deployment(), capacity, track.moments()))
        .toList();
  }

  private Moment moment(Track track) throws Exception {
    var deployment =
        client.apps().deployments().inNamespace("default").withName(track.deployment()).require();
    var now = clock.instant();
    return new Moment(
        now,
        load.at(now),
        track.given().value(),
        deployment.getSpec().getReplicas(),
        ready(deployment));
  }

  private static int ready(Deployment deployment) {
    return Objects.requireNonNullElse(deployment.getStatus().getReadyReplicas(), 0);
  }
}
