package io.prescale.controller.api.v1alpha1;

/** What is done about cards that a queue has beyond what it is owed. */
public enum ReclaimMode {
  /** They stay where they are. */
  Off,
  /** Events say what Act would do. */
  Advise,
  /** Pods get notice, and then give their cards back. */
  Act
}
