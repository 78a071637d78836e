package io.prescale.controller.program;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.prescale.adapter.keda.ExternalScalerServer;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListenersBound;
import io.prescale.controller.operator.Controller;
import io.prescale.controller.plan.live.DayAheadRounds;
import io.prescale.controller.serving.Adapter;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.web.live.HistoryReplays;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a replica starts: it serves what statuses say before it stands for election.
 */
@Singleton
@Requires(env = ControllerProgram.NAME)
final class ControllerStart implements ApplicationEventListener<ListenersBound> {
  private final StatusProjection projection;
  private final @Nullable Adapter adapter;
  private final @Nullable ExternalScalerServer keda;
  private final @Nullable Controller controller;
  private final @Nullable DayAheadRounds ahead;
  private final @Nullable HistoryReplays replays;

  ControllerStart(
      StatusProjection projection,
      @Nullable Adapter adapter,
      @Nullable ExternalScalerServer keda,
      @Nullable Controller controller,
      @Nullable DayAheadRounds ahead,
      @Nullable HistoryReplays replays) {
    this.projection = projection;
    this.adapter = adapter;
    this.keda = keda;
    this.controller = controller;
    this.ahead = ahead;
    this.replays = replays;
  }

  @Override
  public void onApplicationEvent(ListenersBound event) {
    bind();
    projection.start();
    if (adapter != null) {
      adapter.start();
    }
    if (controller != null) {
      controller.start();
    }
    if (ahead != null) {
      ahead.start();
    }
    if (replays != null) {
      replays.keepUp();
    }
  }

  /** A port of its own, which may be taken: before anything else starts. */
  private void bind() {
    try {
      if (keda != null) {
        keda.start();
      }
    } catch (ListenerException e) {
      throw new UncheckedIOException(e);
    }
  }
}
