package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.lab.WeekEvent.Bound;
import io.prescale.controller.lab.WeekEvent.Created;
import io.prescale.controller.lab.WeekEvent.Ended;
import io.prescale.controller.lab.WeekEvent.Evicted;
import io.prescale.controller.lab.WeekEvent.Noticed;
import io.prescale.controller.lab.WeekEvent.Part;
import io.prescale.controller.lab.WeekLife.Life;
import io.prescale.placement.inventory.IndependentDecoder;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the API server has recorded of the week's pods: creations, bindings with their cards,
 * evictions and deletions, each dated by when its request came. Its policy records no content of
 * patches, so what notices say is what a watch has seen; they are dated by the patch before.
 */
final class WeekLog {
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final String EXTENDER = "system:serviceaccount:prescale:prescale-scheduler";
  private static final int BAD_REQUEST = 400;

  private final Map<String, Life> lives;
  private final Map<String, TreeSet<Instant>> patches = new HashMap<>();
  private final List<WeekEvent> events = new ArrayList<>();

  private WeekLog(Map<String, Life> lives) {
    this.lives = lives;
  }

  /**
   * All that happened.
   *
   * @param lives of pods by their names
   * @param seen notices as the watch has seen them
   */
  static List<WeekEvent> read(Lab lab, Map<String, Life> lives, Collection<WeekEvent> seen)
      throws IOException {
    var log = new WeekLog(lives);
    AuditLog.wholeLog(lab, "\"resource\":\"pods\"", log::add);
    return Stream.concat(log.events.stream(), seen.stream().map(log::dated)).toList();
  }

  private void add(JsonNode request) {
    var name = request.at("/objectRef/name").asText();
    var life = lives.get(name);
    if (life == null || request.at("/responseStatus/code").asInt() >= BAD_REQUEST) {
      return;
    }
    var at = Instant.parse(request.at("/requestReceivedTimestamp").asText());
    var part = request.at("/objectRef/subresource").asText();
    switch (request.path("verb").asText() + part) {
      case "create" -> events.add(new Created(at, name, life.pod().queue(), life.pod().allMilli()));
      case "createbinding" -> events.add(new Bound(at, name, parts(request)));
      case "createeviction" -> events.add(new Evicted(at, name));
      case "delete" -> events.add(new Ended(at, name));
      case "patch" -> addPatch(request, name, at);
      default -> {
        // Reads, and what the kubelet writes.
      }
    }
  }

  private void addPatch(JsonNode request, String name, Instant at) {
    if (request.at("/user/username").asText().equals(EXTENDER)) {
      patches.computeIfAbsent(name, _ -> new TreeSet<>()).add(at);
    }
  }

  private static List<Part> parts(JsonNode request) {
    var record = request.at("/requestObject/metadata/annotations").path(RECORD).asText();
    return IndependentDecoder.decode(record).stream()
        .map(it -> new Part(it.uuid(), it.memoryMib(), it.cores()))
        .toList();
  }

  private WeekEvent dated(WeekEvent seen) {
    if (seen instanceof Noticed(var at, var pod, var why, var until)) {
      var before = patches.getOrDefault(pod, new TreeSet<>()).floor(at);
      return new Noticed(before == null ? at : before, pod, why, until);
    }
    return seen;
  }
}
