package io.prescale.controller.api.v1alpha1;

/** What decides which pods a scale-in removes first. */
public enum DeletionCost {
  /** The ReplicaSet's own order: the newest pods, and those on the fullest nodes. */
  None,
  /** The pods with the least work in flight. */
  WorkInFlight
}
