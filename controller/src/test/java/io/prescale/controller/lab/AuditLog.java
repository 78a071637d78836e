package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the laboratory's API server has written about requests. */
final class AuditLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditLog() {}

  /** The events whose lines contain a text, in order. */
  static List<JsonNode> events(Lab lab, String text) throws IOException {
    var events = new ArrayList<JsonNode>();
    for (var line : Files.readAllLines(lab.describe().auditLog())) {
      // The API server may be in the middle of a line, or was killed in the middle of one.
      if (line.endsWith("}") && line.contains(text)) {
        events.add(JSON.readTree(line));
      }
    }
    return events;
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
