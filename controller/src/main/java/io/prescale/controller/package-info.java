/** The `prescale` program: its entry point and the only place that wires the parts together. */
@NullMarked
package io.prescale.controller;

import org.jspecify.annotations.NullMarked;
