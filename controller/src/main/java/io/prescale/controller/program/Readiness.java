package io.prescale.controller.program;

import static io.micronaut.health.HealthStatus.DOWN;
import static io.micronaut.health.HealthStatus.UP;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.prescale.adapter.api.HealthCheck;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.reactivestreams.Publisher;

/** {@code /health/readiness}: ready when every check of the program is well. */
@Singleton
@io.micronaut.management.health.indicator.annotation.Readiness
final class Readiness implements HealthIndicator {
  private final List<HealthCheck> checks;

  Readiness(List<HealthCheck> checks) {
    this.checks = checks;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    Map<String, String> problems = new TreeMap<>();
    for (var check : checks) {
      check.fault().get().ifPresent(problem -> problems.put(check.name(), problem));
    }
    return Publishers.just(
        HealthResult.builder("prescale", problems.isEmpty() ? UP : DOWN).details(problems).build());
  }
}
