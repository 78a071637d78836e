/** Tests that the Helm chart, its rules and its dashboards match the program. */
@NullMarked
package io.prescale.controller.chart;

import org.jspecify.annotations.NullMarked;
