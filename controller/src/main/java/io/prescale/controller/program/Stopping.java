package io.prescale.controller.program;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.prescale.adapter.api.HealthCheck;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Sends requests to other replicas from the moment at which this one begins to stop. */
@Factory
@Singleton
@Requires(env = ControllerProgram.NAME)
final class Stopping implements ApplicationEventListener<ShutdownEvent> {
  private volatile boolean stops;

  @Override
  public void onApplicationEvent(ShutdownEvent event) {
    stops = true;
  }

  @Singleton
  HealthCheck shutdown() {
    return new HealthCheck(
        "shutdown", () -> stops ? Optional.of("the process stops") : Optional.empty());
  }
}
