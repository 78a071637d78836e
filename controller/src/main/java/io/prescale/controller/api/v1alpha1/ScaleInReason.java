package io.prescale.controller.api.v1alpha1;

/** What became of the wish that a scale-in removes the pods with the least work. */
public enum ScaleInReason {
  /** The pods that are to go first are marked. */
  Marked,
  /** No scale-in is near, so that no pod is marked anew. */
  NoScaleInNear,
  /** The work of too few pods is known, and is not guessed. */
  WorkUnknown,
  /** In Shadow mode nothing is marked. */
  ShadowMode,
  /** The API server refused. */
  Refused
}
