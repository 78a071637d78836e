package io.prescale.controller.api.v1alpha1;

/** What became of the wish to keep cards ahead. */
public enum BookingReason {
  /** The GpuBooking has the needs of the forecast. */
  Booked,
  /** The forecast needs no replicas. */
  NothingNeeded,
  /** In Shadow mode nothing is booked. */
  ShadowMode,
  /** The forecast is not followed now, so nothing is booked on its word. */
  ForecastNotTrusted,
  /** There is no forecast of the next hours. */
  NoForecast,
  /** For hours no new forecast could be made, so that what was booked on the last one is let go. */
  ForecastTooOld,
  /** The target is gone, of a kind that is not booked for, or asks for no cards. */
  TargetNotBookable,
  /** The API server refused, or a GpuBooking of this name belongs to another owner. */
  Refused
}
