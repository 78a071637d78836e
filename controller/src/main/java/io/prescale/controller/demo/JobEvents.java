package io.prescale.controller.demo;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.prescale.controller.simulation.cards.SharedCards.Happened;
import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import io.prescale.controller.web.ActionsView.Event;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Notice;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What happened to Jobs, in sentences: one for all to which the same happened. Not thread-safe. */
final class JobEvents {
  private static final int REMEMBERED = 40;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ArrayDeque<Event> newestFirst = new ArrayDeque<>();
  private final Map<What, Instant> saidOn = new EnumMap<>(What.class);
  private final List<Event> fresh = new ArrayList<>();
  private final Map<String, Instant> pausedAt = new HashMap<>();

  /** Adds what happened within a minute. */
  void add(List<Happened> all, Instant minute) {
    fresh.clear();
    var alike =
        all.stream()
            .collect(
                groupingBy(
                    it -> new Alike(it.what(), it.notice().map(JobEvents::service)),
                    LinkedHashMap::new,
                    toList()));
    alike.forEach((kind, those) -> add(kind, those, minute));
  }

  private record Alike(What what, Optional<String> service) {}

  private void add(Alike kind, List<Happened> those, Instant minute) {
    var event = new Event(minute, sentence(kind, those, minute));
    for (var it : those) {
      if (kind.what() == What.SUSPENDED) {
        pausedAt.put(it.job().name(), it.at());
      } else if (kind.what() == What.RESUMED) {
        pausedAt.remove(it.job().name());
      }
    }
    newestFirst.addFirst(event);
    if (newestFirst.size() > REMEMBERED) {
      newestFirst.removeLast();
    }
    var day = minute.truncatedTo(ChronoUnit.DAYS);
    if (!day.equals(saidOn.put(kind.what(), day))) {
      fresh.add(event);
    }
  }

  /** The newest first. */
  List<Event> events() {
    return List.copyOf(newestFirst);
  }

  /** Of the newest minute those that are the first of their kind on their day. */
  List<Event> firstOfTheDay() {
    return List.copyOf(fresh);
  }

  private String sentence(Alike kind, List<Happened> those, Instant minute) {
    var names = names(those);
    var service = kind.service().orElse("a service");
    boolean isOne = those.size() == 1;
    return switch (kind.what()) {
      case NOTIFIED ->
          "%s %s notice to give cards back by %s: %s."
              .formatted(
                  names,
                  isOne ? "has" : "have",
                  TIME.format(those.getFirst().notice().orElseThrow().at()),
                  isBooked(those)
                      ? service + " is expected to need them"
                      : service + " waits for them");
      case WITHDRAWN ->
          "%s %s the cards after all: %s has found others, or needs none."
              .formatted(names, isOne ? "keeps" : "keep", service);
      case SUSPENDED ->
          "%s %s paused, with the work saved: the cards are kept for %s."
              .formatted(names, isOne ? "is" : "are", service);
      case RESUMED ->
          "%s%s %s on, on cards that no service needs."
              .formatted(
                  names,
                  since(those)
                      .filter(it -> it.isBefore(minute))
                      .map(it -> ", paused since " + TIME.format(it) + ",")
                      .orElse(""),
                  isOne ? "goes" : "go");
    };
  }

  /** When the first of them was paused. */
  private Optional<Instant> since(List<Happened> those) {
    return those.stream()
        .flatMap(it -> Optional.ofNullable(pausedAt.get(it.job().name())).stream())
        .min(Comparator.naturalOrder());
  }

  private static boolean isBooked(List<Happened> those) {
    return those.getFirst().notice().flatMap(Expectation::bookingOf).isPresent();
  }

  private static String names(List<Happened> those) {
    var names = those.stream().map(it -> it.job().name()).toList();
    return names.size() == 1
        ? names.getFirst()
        : "%s and %s"
            .formatted(String.join(", ", names.subList(0, names.size() - 1)), names.getLast());
  }

  /** The service for which a notice is: that of the booking, or of the pod that waits. */
  private static String service(Notice notice) {
    return Expectation.bookingOf(notice)
        .map(booking -> booking.substring(booking.indexOf('/') + 1))
        .orElseGet(() -> notice.claim().substring(0, Math.max(1, notice.claim().lastIndexOf('-'))));
  }
}
