package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;

/**
 * A Kubernetes event that occurred once.
 *
 * @param about the object concerned
 * @param namespace where the event is written
 * @param name unique in the namespace for the hour that events are kept
 * @param message cut to 1,024 characters, because the API server refuses longer ones
 */
public record ReportedEvent(
    ObjectReference about,
    String namespace,
    String name,
    boolean alarming,
    String reason,
    String message) {
  private static final int LONGEST_MESSAGE = 1024;

  public Event by(String reporter, Instant now) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withInvolvedObject(about)
        .withType(alarming ? "Warning" : "Normal")
        .withReason(reason)
        .withMessage(message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)))
        .withNewSource()
        .withComponent(reporter)
        .endSource()
        .withReportingComponent(reporter)
        .withFirstTimestamp(now.toString())
        .withLastTimestamp(now.toString())
        .withCount(1)
        .build();
  }
}
