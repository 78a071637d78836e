package io.prescale.adapter.keda;

import io.prescale.adapter.keda.Reply.Reason;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * What a trigger's metadata asks for.
 *
 * @param predictiveHpa in the namespace of the ScaledObject
 * @param metric one of its metrics; empty for all
 * @param activationThreshold the value above which the target is active; empty for what its
 *     PredictiveHPA says
 */
record Trigger(
    String namespace,
    String predictiveHpa,
    Optional<String> metric,
    OptionalDouble activationThreshold) {
  static final String PREDICTIVE_HPA = "predictiveHPA";
  static final String METRIC = "metric";
  static final String ACTIVATION_THRESHOLD = "activationThreshold";

  private static final Pattern OBJECT = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern METRIC_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}(\\.[0-9]{1,9})?");
  private static final int LONGEST_QUOTE = 80;

  /** Reads the metadata; what it does not know, such as {@code scalerAddress}, is KEDA's own. */
  static Reply<Trigger> of(ScaledObjectRef ref) {
    if (!NAMESPACE.matcher(ref.namespace()).matches()) {
      return invalid("the namespace of the ScaledObject", ref.namespace(), "such as models");
    }
    var name = ref.metadata().get(PREDICTIVE_HPA);
    if (name == null) {
      return Reply.refused(
          Reason.INVALID,
          "The trigger's metadata has no %s; write the name of a PredictiveHPA in namespace %s."
              .formatted(PREDICTIVE_HPA, ref.namespace()));
    }
    if (!OBJECT.matcher(name).matches()) {
      return invalid("metadata." + PREDICTIVE_HPA, name, "the name of a PredictiveHPA");
    }
    var metric = Optional.ofNullable(ref.metadata().get(METRIC));
    if (metric.isPresent() && !METRIC_NAME.matcher(metric.get()).matches()) {
      return invalid("metadata." + METRIC, metric.get(), "the name of a metric of " + name);
    }
    var threshold = ref.metadata().get(ACTIVATION_THRESHOLD);
    if (threshold != null && !NUMBER.matcher(threshold).matches()) {
      return invalid("metadata." + ACTIVATION_THRESHOLD, threshold, "a number such as 0 or 2.5");
    }
    return new Reply.Given<>(
        new Trigger(
            ref.namespace(),
            name,
            metric,
            threshold == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(Double.parseDouble(threshold))));
  }

  /**
   * Whether a value makes the target active, unless the trigger says otherwise: above 0 if there
   * may be no replicas, as 0 is only served when none is needed; else any value.
   */
  boolean isActiveAt(double value, boolean mayBeIdle) {
    return activationThreshold.isPresent()
        ? value > activationThreshold.getAsDouble()
        : !mayBeIdle || value > 0;
  }

  private static Reply<Trigger> invalid(String what, String value, String remedy) {
    return Reply.refused(
        Reason.INVALID, "%s is \"%s\"; write %s.".formatted(what, quoted(value), remedy));
  }

  /** As a line of a log can show it. */
  static String quoted(String text) {
    var shown = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    return shown.replaceAll("[^\\x20-\\x7e…]", "?");
  }
}
