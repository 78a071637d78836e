package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.operator.ControlLoop.Neighbours;
import io.prescale.controller.operator.hpa.HpaInBrief;
import io.prescale.controller.operator.hpa.HpaInForce;
import io.prescale.controller.operator.hpa.HpaIndex;
import io.prescale.controller.operator.hpa.HpaWish;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the HPAs and PredictiveHPAs that have to do with one PredictiveHPA, by watches. */
final class Neighbourhood {
  /** Of PredictiveHPAs and HPAs, so that a tick does not look at all of its namespace. */
  private static final String INDEX = "concerns";

  private final Duty duty;
  private final Supplier<Optional<String>> unserved;
  private List<InformerEventSource<HorizontalPodAutoscaler, PredictiveHPA>> hpas = List.of();

  /**
   * @param unserved why the cluster's external metrics are not Prescale's
   */
  Neighbourhood(Duty duty, Supplier<Optional<String>> unserved) {
    this.duty = duty;
    this.unserved = unserved;
  }

  /** The watches of all HPAs for a new term: one for each namespace, as each has its own store. */
  List<InformerEventSource<HorizontalPodAutoscaler, PredictiveHPA>> watch(
      EventSourceContext<PredictiveHPA> context) {
    context.getPrimaryCache().addIndexers(Map.of(INDEX, OlderRival::keys));
    var namespaces = context.getControllerConfiguration().getInformerConfig().getNamespaces();
    hpas = namespaces.stream().map(name -> watch(name, context)).toList();
    return hpas;
  }

  private InformerEventSource<HorizontalPodAutoscaler, PredictiveHPA> watch(
      String namespace, EventSourceContext<PredictiveHPA> context) {
    var events = new HpaEvents(context.getPrimaryCache(), INDEX, duty);
    var informer =
        new InformerEventSource<HorizontalPodAutoscaler, PredictiveHPA>(
            InformerEventSourceConfiguration.from(
                    HorizontalPodAutoscaler.class, PredictiveHPA.class)
                .withName("hpas-" + namespace)
                .withNamespaces(namespace)
                .withSecondaryToPrimaryMapper(events::concerned)
                .withInformerListLimit(BriefObjects.PAGE)
                .withItemStore(BriefObjects.small(HpaInBrief::of, HpaInBrief::ofLarge))
                .build(),
            context);
    informer.addIndexers(Map.of(INDEX, HpaIndex::keys));
    return informer;
  }

  /** The HPA in force, where Prescale has not made it. */
  Optional<HorizontalPodAutoscaler> hpaOfOthers(PredictiveHPA resource) {
    var wish = SpecReader.wish(resource);
    return wish.keeper() == HpaWish.Keeper.PRESCALE && wish.adopt().isEmpty()
        ? Optional.empty()
        : HpaInForce.of(wish, hpas(HpaIndex.keysFor(wish)));
  }

  Neighbours of(PredictiveHPA resource, Context<PredictiveHPA> context) {
    var rivals =
        OlderRival.keys(resource).stream()
            .flatMap(key -> context.getPrimaryCache().byIndex(INDEX, key).stream())
            .toList();
    return new Neighbours(
        hpas(HpaIndex.keysFor(SpecReader.wish(resource))),
        OlderRival.of(resource, rivals.stream()),
        OlderRival.younger(resource, rivals.stream()),
        unserved.get());
  }

  /** Whether another PredictiveHPA scales a target in the namespace of {@code resource}. */
  boolean scaleBeside(
      PredictiveHPA resource, ScaleTargetRef target, Context<PredictiveHPA> context) {
    return context.getPrimaryCache().byIndex(INDEX, OlderRival.key(resource, target)).stream()
        .filter(it -> !it.getMetadata().getUid().equals(resource.getMetadata().getUid()))
        .anyMatch(OlderRival::canScale);
  }

  List<HorizontalPodAutoscaler> hpas(List<String> keys) {
    var found = new LinkedHashMap<String, HorizontalPodAutoscaler>(); // once, by several keys
    hpas.stream()
        .flatMap(some -> keys.stream().flatMap(key -> some.byIndex(INDEX, key).stream()))
        .forEach(hpa -> found.put(hpa.getMetadata().getName(), hpa));
    return List.copyOf(found.values());
  }
}
