package io.prescale.controller.cli.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.ProgressLine;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.demo.DemoService;
import io.prescale.controller.demo.DemoSettings;
import io.prescale.controller.demo.Tally;
import io.prescale.controller.web.About;
import io.prescale.forecasting.CountInWords;
import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What a demo says on the terminal: sentences, or an object a line. Thread-safe. */
final class DemoVoice {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int WHOLE_PERCENT = 100;

  private final Surroundings surroundings;
  private final boolean json;
  private final ProgressLine learning;

  DemoVoice(Surroundings surroundings, boolean json) {
    this.surroundings = surroundings;
    this.json = json;
    this.learning = surroundings.progress("Learning", !json);
  }

  /** Said before the servers start, which takes a second. */
  void opens(DemoSettings settings, double speed) {
    if (json) {
      return;
    }
    var day = Duration.ofSeconds(Math.round(Duration.ofDays(1).toSeconds() / speed));
    line(
        "Prescale demo: %s on %d GPUs; a day passes in %s."
            .formatted(
                CountInWords.of(settings.workloads(), "service"),
                8 * settings.nodes(),
                DurationInWords.of(day)));
  }

  void begins(DemoService service, double speed) {
    if (json) {
      line(
          event("started")
              .put("page", service.pageUrl())
              .put("external_metrics", service.metricsUrl())
              .put("prometheus", service.prometheusUrl())
              .put("speed", speed));
      return;
    }
    line("  Page              " + bold(service.pageUrl()));
    line("  External metrics  " + service.metricsUrl());
    line("  Prometheus        " + service.prometheusUrl());
    line("Type spike, lose-card, stop-prometheus or quit, or use the page; Ctrl-C stops.");
    line("Learning the two weeks of history; then time begins.");
  }

  void learns(About.Doing doing) {
    learning.update(Math.round(WHOLE_PERCENT * doing.done()), WHOLE_PERCENT);
  }

  void timeBegins(boolean learned) {
    learning.close();
    if (json) {
      line(event("time_begins").put("learned", learned));
    } else {
      line(
          learned
              ? "Two weeks of history are learned; time begins."
              : "Time begins; the histories are still being learned.");
    }
  }

  private String bold(String text) {
    return surroundings.outTerminal().colour() ? "\u001b[1m" + text + "\u001b[0m" : text;
  }

  void happened(Instant at, String text) {
    if (json) {
      line(event("happened").put("at", at.toString()).put("text", text));
    } else {
      line("%s  %s".formatted(TIME.format(at), text));
    }
  }

  void refused(String text) {
    surroundings.report(text);
  }

  void dayPassed(int day, Instant now, Tally tally) {
    if (json) {
      var object = event("day").put("day", day).put("at", now.toString());
      object
          .put("short_share", tally.shortShare())
          .put("reactive_short_share", tally.reactiveShortShare())
          .put("replica_hours", tally.replicaHours())
          .put("reactive_replica_hours", tally.reactiveReplicaHours())
          .put("job_card_hours", tally.jobCardHours());
      var services = object.putArray("services");
      tally.services().forEach(service -> add(service, services.addObject()));
      line(object);
    } else {
      line(
          "%s  Day %d: short of capacity %s %% of the time (reactive HPA %s %%). Since the beginning: %s replica-hours (%s)%s."
              .formatted(
                  TIME.format(now),
                  day,
                  percent(tally.shortShare()),
                  percent(tally.reactiveShortShare()),
                  Numbers.brief(Math.rint(tally.replicaHours())),
                  Numbers.brief(Math.rint(tally.reactiveReplicaHours())),
                  jobs(tally)));
    }
  }

  private static void add(Tally.Service service, ObjectNode json) {
    json.put("name", service.name())
        .put("short_share", service.shortShare())
        .put("reactive_short_share", service.reactiveShortShare())
        .put("replica_hours", service.replicaHours())
        .put("reactive_replica_hours", service.reactiveReplicaHours());
  }

  /** What Jobs did, if anything. */
  private static String jobs(Tally tally) {
    return tally.jobCardHours() == 0
        ? ""
        : ", and %s card-hours of Jobs on what was left"
            .formatted(Numbers.brief(Math.rint(tally.jobCardHours())));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f", 100 * share);
  }

  void ends() {
    if (json) {
      line(event("stopped"));
    } else {
      line("The demo stops.");
    }
  }

  private static ObjectNode event(String event) {
    return JsonNodeFactory.instance.objectNode().put("event", event);
  }

  private synchronized void line(Object text) {
    surroundings.out().println(text);
    surroundings.out().flush();
  }
}
