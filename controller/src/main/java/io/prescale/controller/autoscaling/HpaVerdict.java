package io.prescale.controller.autoscaling;

import java.util.EnumSet;
import java.util.Set;

/**
 * What the HPA made of a served value, and what held it back.
 *
 * @param wanted replicas that its formula gives for the served value, before any gate
 * @param gate what kept it from having them; {@link Gate#NONE} when nothing does
 * @param message a sentence
 */
public record HpaVerdict(int wanted, Gate gate, String message) {

  /** The HPA's gates, in the order in which its controller passes them. */
  public enum Gate {
    /** There is no HPA: Shadow mode, or not created yet. */
    NO_HPA,
    /** It scales nothing: no replicas, an ambiguous selector, or a target that cannot be read. */
    INACTIVE,
    /** It cannot read a metric, and then does not scale down. */
    FAILING_METRIC,
    /** It has not yet read this value. */
    NOT_READ_YET,
    /** The change is within its tolerance. */
    TOLERANCE,
    /** Another metric asks for more. */
    OTHER_METRIC,
    /** Earlier recommendations within its stabilization window hold it. */
    STABILIZATION,
    /** A scaling policy allows no larger step yet. */
    POLICY,
    /** {@code maxReplicas}. */
    MAXIMUM,
    /** {@code minReplicas}. */
    MINIMUM,
    /** Nothing: it has, or has asked for, what it wants. */
    NONE
  }

  private static final Set<Gate> NOT_ACTED_ON =
      EnumSet.of(Gate.NO_HPA, Gate.INACTIVE, Gate.FAILING_METRIC, Gate.NOT_READ_YET);

  /** Whether the HPA has acted on the value; until then, the verdict may still change. */
  boolean isFinal() {
    return !NOT_ACTED_ON.contains(gate);
  }
}
