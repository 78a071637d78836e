package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.BookingSpec;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.FallbackSpec;
import io.prescale.controller.api.v1alpha1.ForecastSpec;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.ScaleThrough;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Services that ask for bookings, with a morning ahead: two replicas, five from 08:00 to 09:30. */
final class BookedServices {
  static final Instant SIX = Instant.parse("2026-11-24T06:00:00Z");

  static final ServiceForecasts.Known MORNING =
      new ServiceForecasts.Known(
          Optional.of(
              new ServiceForecast(
                  DemandAhead.of(
                      SIX,
                      ServiceForecast.STEP,
                      96,
                      (h, _) -> h >= 8 && h < 14 ? 5 : 2,
                      List.of(new Bounds(96, 1, 9))),
                  Map.of(),
                  Map.of(),
                  19)),
          Optional.empty(),
          false);

  static final ServiceForecasts.Known UNKNOWN =
      new ServiceForecasts.Known(Optional.empty(), Optional.of("No forecast yet."), false);

  static final ServiceForecasts.Known TOO_OLD =
      new ServiceForecasts.Known(
          Optional.empty(), Optional.of("The newest demand is 241 min old."), true);

  private BookedServices() {}

  static Instant at(String time) {
    return Instant.parse("2026-11-24T" + time + ":00Z");
  }

  static PredictiveHPA service(String name, Mode mode, BookingMode booking) {
    var resource = new PredictiveHPA();
    resource.getMetadata().setNamespace("models");
    resource.getMetadata().setName(name);
    resource.getMetadata().setUid("uid-" + name);
    resource.setSpec(
        new PredictiveHPASpec(
            new ScaleTargetRef("apps/v1", "Deployment", name),
            1,
            9,
            mode,
            ScaleThrough.PrescaleHPA,
            List.of(),
            ForecastSpec.defaults(),
            "auto",
            null,
            FallbackSpec.defaults(),
            null,
            null,
            null,
            List.of(),
            new BookingSpec(booking),
            null));
    resource.setStatus(
        new PredictiveHPAStatus(
            1L,
            mode,
            null,
            2,
            2,
            0,
            2,
            null,
            null,
            List.of(metric(BreakerState.Closed)),
            null,
            List.of(),
            List.of(),
            null,
            null,
            null,
            null));
    return resource;
  }

  /** A booking without a spec. */
  static GpuBooking booking(String name, String uid) {
    var booking = new GpuBooking();
    booking.getMetadata().setNamespace("models");
    booking.getMetadata().setName(name);
    booking.getMetadata().setUid(uid);
    return booking;
  }

  static MetricStatus metric(BreakerState state) {
    return new MetricStatus(
        "tokens",
        "4",
        "9",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        null,
        null,
        new BreakerStatus(state, null),
        null,
        null,
        null);
  }

  /** A LeaderWorkerSet whose pods ask for a card each, but for the leader if it is another. */
  static GenericKubernetesResource groups(String name, int size, String leaderTemplate) {
    return Serialization.unmarshal(
        """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: %s, namespace: models}
        spec:
          leaderWorkerTemplate:
            size: %d
            workerTemplate:
              spec: {containers: [{name: main, image: worker, resources: {limits: {nvidia.com/gpu: 1}}}]}
        %s
        """
            .formatted(
                name,
                size,
                leaderTemplate.isEmpty() ? "" : "    leaderTemplate: " + leaderTemplate),
        GenericKubernetesResource.class);
  }

  /** A Deployment whose pods ask for so many cards. */
  static Deployment deployment(String name, int cards) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withNewResources()
        .addToLimits("nvidia.com/gpu", new Quantity(String.valueOf(cards)))
        .addToLimits("memory", new Quantity("1Gi"))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
