package io.prescale.controller.telemetry;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prescale.adapter.server.OnListener;
import java.io.IOException;
import java.io.InputStream;

/** {@code /metrics} for Prometheus, without TLS and without secrets. */
@OnListener(MetricsEndpoint.LISTENER)
@Controller("/metrics")
@Requires(bean = Telemetry.class)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class MetricsEndpoint {
  /** The listener that Prometheus scrapes and probes ask. */
  public static final String LISTENER = "metrics";

  private final Telemetry telemetry;

  MetricsEndpoint(Telemetry telemetry) {
    this.telemetry = telemetry;
  }

  @Get(produces = Telemetry.CONTENT_TYPE, headRoute = false)
  HttpResponse<InputStream> metrics() throws IOException, InterruptedException {
    return telemetry.page().answer();
  }
}
