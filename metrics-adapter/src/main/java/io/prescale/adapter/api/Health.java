package io.prescale.adapter.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Serves {@code /healthz}, {@code /livez} and {@code /readyz} as the generic server does.
 *
 * @param live checks whose failure calls for a restart
 * @param ready further checks that must pass before requests are served
 */
public record Health(List<HealthCheck> live, List<HealthCheck> ready) {
  private static final HealthCheck PING = new HealthCheck("ping", Optional::empty);

  public Health {
    live = List.copyOf(live);
    ready = List.copyOf(ready);
  }

  static boolean isPath(RequestTarget target) {
    return !target.segments().isEmpty()
        && Set.of("healthz", "livez", "readyz").contains(target.segments().getFirst());
  }

  /** The response for a path of which {@link #isPath} holds. */
  ApiResponse answer(RequestTarget target) throws FailureException {
    var group = target.segments().getFirst();
    var checks = new ArrayList<>(List.of(PING));
    checks.addAll(live);
    if (group.equals("readyz")) {
      checks.addAll(ready);
    }
    if (target.segments().size() > 1) {
      var name = String.join("/", target.segments().subList(1, target.segments().size()));
      checks.removeIf(check -> !check.name().equals(name));
      if (checks.isEmpty()) {
        throw new FailureException(Failure.noSuchPath());
      }
    }
    checks.removeIf(check -> check.name().equals(target.parameter("exclude")));
    var report = new StringBuilder();
    var healthy = report(checks, report);
    if (!healthy) {
      return text(500, report.append(group).append(" check failed\n").toString());
    }
    return text(
        200,
        target.isOn("verbose") ? report.append(group).append(" check passed\n").toString() : "ok");
  }

  private static boolean report(List<HealthCheck> checks, StringBuilder report) {
    var healthy = true;
    for (var check : checks) {
      var fault = check.fault().get();
      healthy &= fault.isEmpty();
      report
          .append(fault.isEmpty() ? "[+]" : "[-]")
          .append(check.name())
          .append(fault.map(words -> " failed: " + words).orElse(" ok"))
          .append('\n');
    }
    return healthy;
  }

  private static ApiResponse text(int status, String body) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "text/plain; charset=utf-8");
    headers.put("X-Content-Type-Options", "nosniff");
    return new ApiResponse(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }
}
