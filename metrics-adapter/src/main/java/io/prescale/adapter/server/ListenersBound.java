package io.prescale.adapter.server;

/**
 * Every port of a program is bound, so what works in the background may start. A program whose port
 * is taken never comes to this, and leaves nothing running.
 */
public record ListenersBound() {}
