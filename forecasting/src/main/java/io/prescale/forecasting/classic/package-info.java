/**
 * Forecasters from the textbook: Hyndman & Athanasopoulos, <a href="https://otexts.com/fpp3/">
 * Forecasting: Principles and Practice</a>, third edition, cited as FPP3.
 */
@NullMarked
package io.prescale.forecasting.classic;

import org.jspecify.annotations.NullMarked;
