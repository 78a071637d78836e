package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload that is scaled ahead of its demand. The spec is null when it cannot be read; {@link
 * #unreadable} says why.
 */
@JsonDeserialize(using = PredictiveHPAReader.class)
@Group("autoscaling.prescale.io")
@Version("v1alpha1")
@Kind("PredictiveHPA")
@Singular("predictivehpa")
@Plural("predictivehpas")
@ShortNames("phpa")
@Categories({"all", "autoscaling"})
@AdditionalPrinterColumn(
    name = "Target",
    jsonPath = ".status.target",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Mode",
    jsonPath = ".spec.mode",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Through",
    jsonPath = ".spec.scaleThrough",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type=='Ready')].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Current",
    jsonPath = ".status.currentReplicas",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Predicted",
    jsonPath = ".status.desiredReplicas",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Lead(s)",
    jsonPath = ".status.leadTime.seconds",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Skill",
    jsonPath = ".status.skill",
    type = AdditionalPrinterColumn.Type.NUMBER)
@AdditionalPrinterColumn(
    name = "Metrics",
    jsonPath = ".status.conditions[?(@.type=='MetricsAvailable')].reason",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Forecast",
    jsonPath = ".status.conditions[?(@.type=='ForecastTrusted')].reason",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Scaling",
    jsonPath = ".status.conditions[?(@.type=='ScalingActive')].reason",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class PredictiveHPA extends CustomResource<PredictiveHPASpec, PredictiveHPAStatus>
    implements Namespaced {
  /** Keeps a deleted PredictiveHPA until its HPA has been given back. */
  public static final String FINALIZER = "autoscaling.prescale.io/give-hpa-back";

  /** A field of copies in memory alone: the API server keeps none that the CRD does not have. */
  static final String SPEC_TOO_LARGE = "specTooLarge";

  private static final long serialVersionUID = 1;

  private transient @Nullable UnreadableSpec unreadable;

  /** Why there is no spec, with the field, its value and the remedy; empty if there is one. */
  @JsonIgnore
  public Optional<String> unreadable() {
    if (getSpec() != null) {
      return Optional.empty();
    }
    return Optional.of(unreadable == null ? "spec is missing; write one" : unreadable.problem());
  }

  /** A copy with metadata of its own; spec and status are shared, since nothing changes them. */
  public PredictiveHPA copy() {
    var copy = with(getStatus());
    copy.setMetadata(new ObjectMetaBuilder(getMetadata()).build());
    return copy;
  }

  void setUnreadable(UnreadableSpec spec) {
    unreadable = spec;
  }

  /** A spec that cannot be read is copied and written as it was; of a large one, the problem is. */
  @JsonAnyGetter
  Map<String, JsonNode> unreadableSpec() {
    if (unreadable == null) {
      return Map.of();
    }
    return unreadable.json().isNull()
        ? Map.of(SPEC_TOO_LARGE, TextNode.valueOf(unreadable.problem()))
        : Map.of("spec", unreadable.json());
  }

  /** The same PredictiveHPA with another status. */
  public PredictiveHPA with(PredictiveHPAStatus status) {
    var other = new PredictiveHPA();
    other.setMetadata(getMetadata());
    other.setSpec(getSpec());
    other.unreadable = unreadable;
    other.setStatus(status);
    return other;
  }

  /** {@code NAMESPACE/NAME}. */
  public String qualifiedName() {
    return getMetadata().getNamespace() + "/" + getMetadata().getName();
  }
}
