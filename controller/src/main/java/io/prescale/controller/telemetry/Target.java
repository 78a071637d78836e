package io.prescale.controller.telemetry;

/** The object that series are about. */
public record Target(String namespace, String name) {}
