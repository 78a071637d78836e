package io.prescale.controller.program;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.prescale.adapter.api.HealthCheck;
import io.prescale.adapter.server.ListenersBound;
import io.prescale.controller.scheduler.extender.Exporters;
import io.prescale.controller.scheduler.extender.Extender;
import io.prescale.controller.scheduler.extender.ExtenderAnswers;
import io.prescale.controller.scheduler.extender.ExtenderSettings;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parts of {@link ExtenderProgram}. None starts when it is made. */
@Factory
@Requires(env = ExtenderProgram.NAME)
final class ExtenderBeans {
  @Singleton
  @Bean(preDestroy = "close")
  Extender extender(
      KubernetesClient client,
      ExtenderSettings settings,
      @Nullable Exporters exporters,
      Clock clock) {
    return new Extender(client, settings, Optional.ofNullable(exporters), clock, System::nanoTime);
  }

  @Singleton
  ExtenderAnswers answers(Extender extender) {
    return extender.answers();
  }

  @Singleton
  HealthCheck cluster(Extender extender) {
    return new HealthCheck("cluster", extender::whyNotReady);
  }

  @Singleton
  ApplicationEventListener<ListenersBound> start(Extender extender) {
    return _ -> extender.start();
  }
}
