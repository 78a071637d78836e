package io.prescale.controller.api.v1alpha1;

/** Whether cards are kept for replicas that are forecast. */
public enum BookingMode {
  /** They are not. */
  Off,
  /** The needs that the forecast has of the next hours are written to a GpuBooking. */
  Book
}
