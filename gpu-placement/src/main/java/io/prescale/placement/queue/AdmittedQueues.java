package io.prescale.placement.queue;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Queues that form a tree, chosen from what is written down: an entry that does not fit the others
 * is replaced by the one of its name that was in force before, or left out.
 *
 * @param inForce the entries of the tree, by name, in their order
 * @param faults why entries are not in force as they are written, by name
 */
public record AdmittedQueues(Map<String, QueueEntry> inForce, Map<String, Fault> faults) {
  /** Deeper trees are mistakes. */
  static final int MOST_LEVELS = 10;

  /** What is wrong with an entry, with a sentence. */
  public record Fault(Kind kind, String sentence) {}

  /** The ways in which an entry may not fit the others. */
  public enum Kind {
    UNKNOWN_PARENT,
    CYCLE,
    TOO_DEEP,
    GUARANTEE_BEYOND_PARENT,
    MODELS_OVERLAP
  }

  private record Finding(String queue, Fault fault) {}

  public AdmittedQueues {
    inForce = Collections.unmodifiableMap(new LinkedHashMap<>(inForce));
    faults = Map.copyOf(faults);
  }

  /**
   * Admits entries.
   *
   * @param wanted with names of their own, the oldest first: of entries that contradict each other,
   *     those that are unchanged stay, then the older ones
   * @param before the entries that are in force, by name
   */
  public static AdmittedQueues of(Collection<QueueEntry> wanted, Map<String, QueueEntry> before) {
    var kept = completed(wanted, before, fitting(wanted, before));
    // Some fit only together, and what they gave way to may have given way itself.
    var more = fitting(wanted, kept);
    while (!kept.entrySet().containsAll(more.entrySet())) {
      kept = completed(wanted, before, more);
      more = fitting(wanted, kept);
    }
    var faults = new TreeMap<String, Fault>();
    for (var entry : wanted) {
      if (!entry.equals(kept.get(entry.name()))) {
        // Beside those in force it alone is new, so the fault is its own.
        fault(with(entry, wanted, kept), kept)
            .ifPresent(found -> faults.put(entry.name(), found.fault()));
      }
    }
    return new AdmittedQueues(kept, faults);
  }

  /** Entries that fit each other: of those that do not, one after the other gives way. */
  private static Map<String, QueueEntry> fitting(
      Collection<QueueEntry> wanted, Map<String, QueueEntry> before) {
    var kept = new LinkedHashMap<String, QueueEntry>();
    wanted.forEach(entry -> kept.put(entry.name(), entry));
    for (var found = fault(kept, before); found.isPresent(); found = fault(kept, before)) {
      var name = found.get().queue();
      var last = before.get(name);
      if (last == null || last.equals(kept.get(name))) {
        kept.remove(name);
      } else {
        kept.put(name, last);
      }
    }
    return kept;
  }

  /** With all entries that can be added one after the other. */
  private static Map<String, QueueEntry> completed(
      Collection<QueueEntry> wanted, Map<String, QueueEntry> before, Map<String, QueueEntry> some) {
    var kept = some;
    var more = restored(wanted, before, kept);
    while (more.isPresent()) {
      kept = more.get();
      more = restored(wanted, before, kept);
    }
    return kept;
  }

  /**
   * With one entry more that gave way to some that gave way later themselves: the one in force
   * before of a queue that has none, else one as it is written.
   */
  private static Optional<Map<String, QueueEntry>> restored(
      Collection<QueueEntry> wanted, Map<String, QueueEntry> before, Map<String, QueueEntry> kept) {
    var known =
        wanted.stream()
            .filter(entry -> !kept.containsKey(entry.name()))
            .flatMap(entry -> Optional.ofNullable(before.get(entry.name())).stream());
    var written = wanted.stream().filter(entry -> !entry.equals(kept.get(entry.name())));
    return Stream.concat(known, written)
        .map(entry -> with(entry, wanted, kept))
        .filter(more -> fault(more, before).isEmpty())
        .findFirst();
  }

  /** In the order of what is wanted. */
  private static Map<String, QueueEntry> with(
      QueueEntry entry, Collection<QueueEntry> wanted, Map<String, QueueEntry> kept) {
    var more = new LinkedHashMap<String, QueueEntry>();
    for (var each : wanted) {
      var now = each.name().equals(entry.name()) ? entry : kept.get(each.name());
      if (now != null) {
        more.put(each.name(), now);
      }
    }
    return more;
  }

  private static Optional<Finding> fault(
      Map<String, QueueEntry> kept, Map<String, QueueEntry> before) {
    for (var entry : kept.values()) {
      var found = misplaced(entry, kept, before);
      if (found.isPresent()) {
        return found;
      }
    }
    var children =
        kept.values().stream()
            .filter(entry -> entry.parent().isPresent())
            .collect(groupingBy(entry -> entry.parent().orElseThrow()));
    for (var entry : kept.values()) {
      var found = overdrawn(entry, children.getOrDefault(entry.name(), List.of()), before);
      if (found.isPresent()) {
        return found;
      }
    }
    return overpromised(kept, before).or(() -> overlapping(kept, before));
  }

  private static Optional<Finding> misplaced(
      QueueEntry entry, Map<String, QueueEntry> kept, Map<String, QueueEntry> before) {
    var path = new ArrayList<QueueEntry>();
    for (var next = entry; next.parent().isPresent(); ) {
      path.add(next);
      var parent = next.parent().get();
      next = kept.get(parent);
      if (next == null) {
        return path.size() > 1 // the fault of one above
            ? Optional.empty()
            : found(
                entry,
                Kind.UNKNOWN_PARENT,
                "its parent %s is not there or not in force; create or mend it".formatted(parent));
      }
      if (path.contains(next)) {
        var cycle = path.subList(path.indexOf(next), path.size());
        var blamed = newest(cycle, kept, before);
        return found(
            blamed,
            Kind.CYCLE,
            "it is above itself by way of %s; name another parent, or none"
                .formatted(blamed.parent().orElseThrow()));
      }
      if (path.size() == MOST_LEVELS && !isEndless(next, kept)) {
        var blamed = newest(path, kept, before);
        return found(
            blamed,
            Kind.TOO_DEEP,
            "%s more than %d levels deep; name a higher parent"
                .formatted(
                    blamed.equals(entry) ? "it is" : "%s below it is".formatted(entry.name()),
                    MOST_LEVELS));
      }
    }
    return Optional.empty();
  }

  /** Whether the way up from an entry leads to a cycle. */
  private static boolean isEndless(QueueEntry entry, Map<String, QueueEntry> kept) {
    int steps = 0;
    var next = entry;
    while (next != null && next.parent().isPresent() && steps <= kept.size()) {
      next = kept.get(next.parent().get());
      steps++;
    }
    return steps > kept.size();
  }

  private static Optional<Finding> found(QueueEntry entry, Kind kind, String sentence) {
    return Optional.of(new Finding(entry.name(), new Fault(kind, sentence)));
  }

  /** No cluster can keep what the queues without a parent are guaranteed beyond the limit. */
  private static Optional<Finding> overpromised(
      Map<String, QueueEntry> kept, Map<String, QueueEntry> before) {
    var top = kept.values().stream().filter(entry -> entry.parent().isEmpty()).toList();
    long promised = top.stream().mapToLong(entry -> entry.quota().guaranteed()).sum();
    return promised <= Quota.UNLIMITED
        ? Optional.empty()
        : found(
            newest(top.stream().filter(entry -> entry.quota().guaranteed() > 0).toList(), before),
            Kind.GUARANTEE_BEYOND_PARENT,
            "the queues without a parent are guaranteed %s cards together, and at most %s are possible; lower theirs"
                .formatted(Quota.cards(promised), Quota.cards(Quota.UNLIMITED)));
  }

  /** Queues at the top have the same pool or share no name, so each card is in one. */
  private static Optional<Finding> overlapping(
      Map<String, QueueEntry> kept, Map<String, QueueEntry> before) {
    var naming = kept.values().stream().filter(it -> !it.pool().models().isEmpty()).toList();
    for (var entry : naming) {
      var others = naming.stream().filter(it -> it.pool().contradicts(entry.pool())).toList();
      if (!others.isEmpty()) {
        var both = List.of(entry, others.getFirst());
        var blamed = newest(both, kept, before);
        var other = blamed.equals(entry) ? others.getFirst() : entry;
        return found(
            blamed,
            Kind.MODELS_OVERLAP,
            "it names models %s and %s names %s; name the same, or none of those"
                .formatted(blamed.pool().models(), other.name(), other.pool().models()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Finding> overdrawn(
      QueueEntry parent, List<QueueEntry> children, Map<String, QueueEntry> before) {
    long promised = children.stream().mapToLong(entry -> entry.quota().guaranteed()).sum();
    long own = parent.quota().guaranteed();
    return promised <= own
        ? Optional.empty()
        : found(
            newest(Stream.concat(Stream.of(parent), children.stream()).toList(), before),
            Kind.GUARANTEE_BEYOND_PARENT,
            ("the children of %s are guaranteed %s cards together, and it only %s itself; lower"
                    + " theirs or raise its own")
                .formatted(parent.name(), Quota.cards(promised), Quota.cards(own)));
  }

  private static QueueEntry newest(
      Collection<QueueEntry> some, Map<String, QueueEntry> kept, Map<String, QueueEntry> before) {
    return newest(kept.values().stream().filter(some::contains).toList(), before);
  }

  /** The last of the entries that have changed, or of all when none has. */
  private static QueueEntry newest(List<QueueEntry> family, Map<String, QueueEntry> before) {
    return family.reversed().stream()
        .filter(entry -> !entry.equals(before.get(entry.name())))
        .findFirst()
        .orElse(family.getLast());
  }
}
