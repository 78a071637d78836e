package io.prescale.adapter.api;

import java.util.List;

/** Validates those parameters of a list that have no effect on the result. */
final class ListOptions {
  private static final List<String> NUMBERS = List.of("limit", "timeoutSeconds");

  private ListOptions() {}

  /**
   * Refuses malformed parameters and filters that would be ignored.
   *
   * @throws FailureException with the generic server's message where it has one
   */
  static void check(RequestTarget target) throws FailureException {
    for (var name : NUMBERS) {
      var value = target.parameter(name);
      if (!value.isEmpty()) {
        checkNumber(value);
      }
    }
    if (!target.parameter("fieldSelector").isEmpty()) {
      throw new FailureException(
          Failure.badRequest(
              "external metrics have no fields to select by; use labelSelector instead of"
                  + " fieldSelector"));
    }
  }

  private static void checkNumber(String value) throws FailureException {
    if (!value.matches("[+-]?[0-9]+")) {
      throw new FailureException(
          Failure.badRequest(
              "strconv.ParseInt: parsing %s: invalid syntax".formatted(JsonWriter.quoted(value))));
    }
    try {
      Long.parseLong(value);
    } catch (NumberFormatException _) {
      throw new FailureException(
          Failure.badRequest(
              "strconv.ParseInt: parsing %s: value out of range"
                  .formatted(JsonWriter.quoted(value))));
    }
  }
}
