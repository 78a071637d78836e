package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.BookingStatus;

/** What a PredictiveHPA that asks for bookings has booked. */
public record Booked(String namespace, String name, BookingStatus status) {}
