package io.prescale.controller.program;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.keda.ExternalScaler;
import io.prescale.adapter.keda.ExternalScalerServer;
import io.prescale.adapter.keda.ScalerTls;
import io.prescale.controller.operator.hpa.HpaWish;
import io.prescale.controller.serving.Adapter;
import io.prescale.controller.serving.KnownPredictiveHpas;
import io.prescale.controller.serving.StatusProjection;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The part of {@link ControllerProgram} that answers KEDA; it does not start when it is made. */
@Factory
@Requires(env = ControllerProgram.NAME)
@Requires(property = ControllerProgram.KEDA, value = "true")
final class KedaBeans {
  @Singleton
  KnownPredictiveHpas known() {
    return new KnownPredictiveHpas();
  }

  @Singleton
  @Bean(preDestroy = "close")
  ExternalScalerServer keda(
      MetricReadModel model,
      KnownPredictiveHpas known,
      StatusProjection projection,
      Adapter adapter,
      ControllerProgram.Settings settings,
      Clock clock) {
    var keda = settings.keda().orElseThrow();
    var scaler =
        new ExternalScaler(
            model,
            known,
            name -> LabelSelector.with(HpaWish.SELECTOR_LABEL, name),
            projection::fault,
            clock);
    var tls = new ScalerTls(adapter::certificate, keda.authorities(), keda.clients());
    return new ExternalScalerServer(scaler, tls, keda.listener());
  }
}
