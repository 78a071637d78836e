package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is written on an object by which nodes are asked for, so that any leader goes on with it.
 */
final class BufferNotes {
  private static final String SHAPE = "autoscaling.prescale.io/shape";
  private static final String ASKED_SINCE = "autoscaling.prescale.io/asked-since";
  private static final String HELD_UP_TO = "autoscaling.prescale.io/held-up-to";
  private static final String UNKNOWN_SINCE = "autoscaling.prescale.io/unknown-since";
  private static final String PODS = "autoscaling.prescale.io/pods-of-replica";

  /** Those that mean nothing once nothing is held. */
  static final List<String> TIMES = List.of(ASKED_SINCE, HELD_UP_TO, UNKNOWN_SINCE);

  private BufferNotes() {}

  /** As annotations. */
  static Map<String, String> of(Buffer buffer, BookedTemplate template) {
    var notes = new HashMap<>(Map.of(SHAPE, buffer.shape()));
    if (template.isGang()) {
      notes.put(PODS, String.valueOf(template.pods()));
    }
    var times =
        Map.of(
            ASKED_SINCE, buffer.askedSince(),
            HELD_UP_TO, buffer.held().upTo(),
            UNKNOWN_SINCE, buffer.held().unknownSince());
    times.forEach(
        (key, time) ->
            time.ifPresent(it -> notes.put(key, it.truncatedTo(ChronoUnit.SECONDS).toString())));
    return notes;
  }

  /** Reads them; what others have written there counts as nothing. */
  static Buffer read(HasMetadata object, boolean isOwn, int replicas) {
    return new Buffer(
        isOwn,
        shape(object),
        new Held(replicas, time(object, HELD_UP_TO), time(object, UNKNOWN_SINCE)),
        time(object, ASKED_SINCE));
  }

  /** The digest of the template. */
  static String shape(HasMetadata object) {
    return note(object, SHAPE).orElse("");
  }

  /** How many pods stand for a replica. */
  static int podsOfReplica(HasMetadata object) {
    return note(object, PODS)
        .filter(it -> it.matches("[1-9][0-9]{0,3}"))
        .map(Integer::parseInt)
        .orElse(1);
  }

  private static Optional<String> note(HasMetadata object, String key) {
    return Optional.ofNullable(object.getMetadata().getAnnotations()).map(it -> it.get(key));
  }

  private static Optional<Instant> time(HasMetadata object, String key) {
    return note(object, key).flatMap(WrittenTime::read);
  }
}
