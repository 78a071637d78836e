package io.prescale.controller.cli.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.controller.cli.terminal.DurationText;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.demo.DemoService;
import io.prescale.controller.demo.DemoSettings;
import io.prescale.controller.demo.Tally;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What a demo says on the terminal: sentences, or an object a line. Thread-safe. */
final class DemoVoice {
  private static final JsonFactory JSON = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Surroundings surroundings;
  private final boolean json;

  DemoVoice(Surroundings surroundings, boolean json) {
    this.surroundings = surroundings;
    this.json = json;
  }

  void begins(DemoService service, DemoSettings settings, double speed) {
    if (json) {
      object(
          "started",
          it -> {
            it.writeStringField("page", service.pageUrl());
            it.writeStringField("external_metrics", service.metricsUrl());
            it.writeStringField("prometheus", service.prometheusUrl());
            it.writeNumberField("speed", speed);
          });
      return;
    }
    var day = Duration.ofSeconds(Math.round(Duration.ofDays(1).toSeconds() / speed));
    line(
        "Prescale demo: %d %s on %d GPUs; a day passes in %s."
            .formatted(
                settings.workloads(),
                settings.workloads() == 1 ? "service" : "services",
                8 * settings.nodes(),
                DurationText.inWords(day)));
    line("  Page              " + bold(service.pageUrl()));
    line("  External metrics  " + service.metricsUrl());
    line("  Prometheus        " + service.prometheusUrl());
    line("Type spike, lose-card, stop-prometheus or quit, or use the page; Ctrl-C stops.");
  }

  void timeBegins(boolean learned) {
    if (json) {
      object("time_begins", it -> it.writeBooleanField("learned", learned));
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
      object(
          "happened",
          it -> {
            it.writeStringField("at", at.toString());
            it.writeStringField("text", text);
          });
    } else {
      line("%s  %s".formatted(TIME.format(at), text));
    }
  }

  void refused(String text) {
    surroundings.report(text);
  }

  void dayPassed(int day, Instant now, Tally tally) {
    if (json) {
      object(
          "day",
          it -> {
            it.writeNumberField("day", day);
            it.writeStringField("at", now.toString());
            it.writeNumberField("short_share", tally.shortShare());
            it.writeNumberField("reactive_short_share", tally.reactiveShortShare());
            it.writeNumberField("replica_hours", tally.replicaHours());
            it.writeNumberField("reactive_replica_hours", tally.reactiveReplicaHours());
            it.writeArrayFieldStart("services");
            for (Tally.Service service : tally.services()) {
              write(service, it);
            }
            it.writeEndArray();
          });
    } else {
      line(
          "%s  Day %d: short of capacity %s %% of the time (reactive HPA %s %%), %s replica-hours so far (%s)."
              .formatted(
                  TIME.format(now),
                  day,
                  percent(tally.shortShare()),
                  percent(tally.reactiveShortShare()),
                  Numbers.brief(Math.rint(tally.replicaHours())),
                  Numbers.brief(Math.rint(tally.reactiveReplicaHours()))));
    }
  }

  private static void write(Tally.Service service, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", service.name());
    json.writeNumberField("short_share", service.shortShare());
    json.writeNumberField("reactive_short_share", service.reactiveShortShare());
    json.writeNumberField("replica_hours", service.replicaHours());
    json.writeNumberField("reactive_replica_hours", service.reactiveReplicaHours());
    json.writeEndObject();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f", 100 * share);
  }

  void ends() {
    if (json) {
      object("stopped", _ -> {});
    } else {
      line("The demo stops.");
    }
  }

  private synchronized void line(String text) {
    surroundings.out().println(text);
    surroundings.out().flush();
  }

  /** Writes the fields of an object. */
  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private void object(String event, Fields fields) {
    var text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      generator.writeStartObject();
      generator.writeStringField("event", event);
      fields.write(generator);
      generator.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    line(text.toString());
  }
}
