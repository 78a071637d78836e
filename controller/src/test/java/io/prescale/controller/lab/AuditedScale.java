package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A change of a Deployment's size, as the API server's audit log has it.
 *
 * @param user who did it
 */
record AuditedScale(Instant at, String user, int replicas) {
  /** All changes of a Deployment's size through its scale subresource, in order. */
  static List<AuditedScale> of(Lab lab, String deployment) throws IOException {
    var scales = new ArrayList<AuditedScale>();
    for (var event : AuditLog.events(lab, "\"subresource\":\"scale\"")) {
      if (isDone(event) && event.at("/objectRef/name").asText().equals(deployment)) {
        scales.add(
            new AuditedScale(
                Instant.parse(event.at("/requestReceivedTimestamp").asText()),
                event.at("/user/username").asText(),
                event.at("/requestObject/spec/replicas").asInt()));
      }
    }
    return scales;
  }

  private static boolean isDone(JsonNode event) {
    return event.at("/objectRef/resource").asText().equals("deployments")
        && event.at("/stage").asText().equals("ResponseComplete")
        && event.at("/requestObject/spec").isObject()
        && event.at("/responseStatus/code").asInt() == 200;
  }
}
