package io.prescale.controller.program;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.prescale.adapter.server.ListenersBound;
import io.prescale.controller.operator.Controller;
import io.prescale.controller.serving.Adapter;
import io.prescale.controller.serving.StatusProjection;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a replica starts: it serves what statuses say before it stands for election.
 */
@Singleton
@Requires(env = ControllerProgram.NAME)
final class ControllerStart implements ApplicationEventListener<ListenersBound> {
  private final StatusProjection projection;
  private final @Nullable Adapter adapter;
  private final @Nullable Controller controller;

  ControllerStart(
      StatusProjection projection, @Nullable Adapter adapter, @Nullable Controller controller) {
    this.projection = projection;
    this.adapter = adapter;
    this.controller = controller;
  }

  @Override
  public void onApplicationEvent(ListenersBound event) {
    projection.start();
    if (adapter != null) {
      adapter.start();
    }
    if (controller != null) {
      controller.start();
    }
  }
}
