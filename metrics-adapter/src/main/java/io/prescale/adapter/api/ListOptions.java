package io.prescale.adapter.api;

import java.util.List;
import java.util.regex.Pattern;

/** Validates those parameters of a request that have no effect on the result. */
final class ListOptions {
  private static final List<String> NUMBERS = List.of("limit", "timeoutSeconds");

  /** {@code time.ParseDuration}'s syntax. */
  private static final Pattern DURATION =
      Pattern.compile("[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)");

  private ListOptions() {}

  /**
   * Refuses a malformed {@code timeout}, which every request may have but a watch.
   *
   * @throws FailureException with the generic server's message
   */
  static void checkTimeout(RequestTarget target) throws FailureException {
    var timeout = target.parameter("timeout");
    if (!timeout.isEmpty() && !target.isOn("watch") && !DURATION.matcher(timeout).matches()) {
      throw new FailureException(
          Failure.badRequest(
              "invalid timeout specified in the request URL - time: invalid duration "
                  + JsonWriter.quoted(timeout)));
    }
  }

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
