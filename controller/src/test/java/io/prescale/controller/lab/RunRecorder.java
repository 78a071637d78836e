package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.lab.Recording.Moment;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Watches how Deployments of the namespace default keep up with a load. */
final class RunRecorder {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Lab lab;
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
  RunRecorder(Lab lab, DailyLoad load, double capacity, InstantSource clock) {
    this.lab = lab;
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
      var deployments = JSON.readTree(lab.kubectl("get", "deployments", "-o", "json"));
      for (var track : tracks) {
        track.moments().add(moment(track, deployments.get("items")));
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

  private Moment moment(Track track, JsonNode deployments) throws Exception {
    for (var deployment : deployments) {
      if (deployment.at("/metadata/name").asText().equals(track.deployment())) {
        var now = clock.instant();
        return new Moment(
            now,
            load.at(now),
            track.given().value(),
            deployment.at("/spec/replicas").asInt(),
            deployment.at("/status/readyReplicas").asInt());
      }
    }
    throw new IOException("there is no Deployment " + track.deployment());
  }
}
