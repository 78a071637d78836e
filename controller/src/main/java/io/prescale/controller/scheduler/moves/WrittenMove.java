package io.prescale.controller.scheduler.moves;

import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.moves.MoveNotice;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The annotations of pods that move. */
final class WrittenMove {
  /** When the pod is evicted at the earliest. */
  static final String AT = "gpu.prescale.io/move-at";

  /** The node and the cards that are kept for its replacement, as {@code node: uuid,uuid}. */
  static final String TO = "gpu.prescale.io/move-to";

  /** Why: {@code sick-card}, {@code fragments}, or {@code pod UID} for which it makes way. */
  static final String FOR = "gpu.prescale.io/move-for";

  /** When a replacement had its cards. */
  static final String MOVED = "gpu.prescale.io/moved-at";

  private static final String SICK = "sick-card";
  private static final String FRAGMENTS = "fragments";
  private static final String POD = "pod ";
  private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Pattern PLACE =
      Pattern.compile("([a-z0-9.-]{1,253}): ([\\w./:-]{1,128}(?:,[\\w./:-]{1,128}){0,15})");

  private WrittenMove() {}

  /** What is written for a notice; nulls remove it. */
  static Map<String, @Nullable String> of(Optional<MoveNotice> notice) {
    var annotations = new HashMap<String, @Nullable String>();
    annotations.put(AT, notice.map(it -> PodWriter.written(it.at()).toString()).orElse(null));
    annotations.put(TO, notice.map(WrittenMove::place).orElse(null));
    annotations.put(FOR, notice.map(WrittenMove::purpose).orElse(null));
    return annotations;
  }

  private static String place(MoveNotice notice) {
    return notice.node()
        + notice.uuids().stream().sorted().collect(Collectors.joining(",", ": ", ""));
  }

  private static String purpose(MoveNotice notice) {
    return switch (notice.reason()) {
      case SICK_CARD -> SICK;
      case DEFRAGMENTS -> FRAGMENTS;
      case MAKES_WAY -> POD + notice.wanted().orElseThrow();
    };
  }

  /** Whether anything is written, be it nonsense. */
  static boolean isIn(Map<String, String> annotations) {
    return annotations.containsKey(AT)
        || annotations.containsKey(TO)
        || annotations.containsKey(FOR);
  }

  /** Reads a notice; empty if what is written makes no sense. */
  static Optional<MoveNotice> read(Map<String, String> annotations) {
    var place = PLACE.matcher(annotations.getOrDefault(TO, ""));
    var at = time(annotations, AT);
    if (at.isEmpty() || !place.matches()) {
      return Optional.empty();
    }
    var uuids = Arrays.stream(place.group(2).split(",", -1)).collect(Collectors.toSet());
    return read(annotations.getOrDefault(FOR, ""), at.get(), place.group(1), uuids);
  }

  private static Optional<MoveNotice> read(
      String purpose, Instant at, String node, Set<String> uuids) {
    if (purpose.equals(SICK)) {
      return Optional.of(new MoveNotice(at, node, uuids, Reason.SICK_CARD, Optional.empty()));
    }
    if (purpose.equals(FRAGMENTS)) {
      return Optional.of(new MoveNotice(at, node, uuids, Reason.DEFRAGMENTS, Optional.empty()));
    }
    return Optional.of(purpose)
        .filter(it -> it.startsWith(POD))
        .map(it -> it.substring(POD.length()))
        .filter(uid -> UID.matcher(uid).matches())
        .map(uid -> new MoveNotice(at, node, uuids, Reason.MAKES_WAY, Optional.of(uid)));
  }

  /** A time that is written, if it is one. */
  static Optional<Instant> time(Map<String, String> annotations, String key) {
    return WrittenTime.read(annotations.get(key));
  }
}
