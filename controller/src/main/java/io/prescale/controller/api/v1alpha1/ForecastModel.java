package io.prescale.controller.api.v1alpha1;

/** What may forecast. */
public enum ForecastModel {
  /** A combination of all models, weighted by how well they did lately. */
  Auto
}
