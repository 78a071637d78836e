package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
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
}
