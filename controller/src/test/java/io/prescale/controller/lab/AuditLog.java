package io.prescale.controller.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What the laboratory's API server has written about requests. */
final class AuditLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditLog() {}

  /** The events whose lines contain a text, in order. */
  static List<JsonNode> events(Lab lab, String text) throws IOException {
    try (var lines = Files.lines(lab.describe().auditLog())) {
      return lines
          // The API server may be in the middle of a line, or was killed in the middle of one.
          .filter(line -> line.endsWith("}") && line.contains(text))
          .map(AuditLog::parse)
          .toList();
    }
  }

  /**
   * Shows the events whose lines contain a text, in order, also those of the files that the API
   * server has put aside when they were full.
   */
  static void wholeLog(Lab lab, String text, Consumer<JsonNode> reader) throws IOException {
    var newest = lab.describe().auditLog();
    var name = newest.getFileName().toString();
    var prefix = name.substring(0, name.lastIndexOf('.')) + '-';
    var files = new ArrayList<Path>();
    try (var siblings = Files.list(newest.resolveSibling(""))) {
      siblings
          .filter(it -> it.getFileName().toString().startsWith(prefix))
          .filter(it -> it.getFileName().toString().endsWith(".log"))
          .sorted()
          .forEach(files::add);
    }
    files.add(newest);
    for (var file : files) {
      try (var lines = Files.lines(file)) {
        lines
            .filter(line -> line.endsWith("}") && line.contains(text))
            .map(AuditLog::parse)
            .forEach(reader);
      }
    }
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often Prescale has listed a resource since a time. */
  static long lists(Lab lab, String resource, Instant since) throws IOException {
    return events(lab, '"' + resource + '"').stream()
        .filter(it -> it.at("/user/username").asText().endsWith(":prescale"))
        .filter(it -> it.at("/verb").asText().equals("list"))
        .filter(it -> Instant.parse(it.at("/requestReceivedTimestamp").asText()).isAfter(since))
        .count();
  }
}
