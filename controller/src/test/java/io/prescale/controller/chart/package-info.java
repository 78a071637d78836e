/** What holds the Helm chart, its rules and its dashboards to the program. */
@NullMarked
package io.prescale.controller.chart;

import org.jspecify.annotations.NullMarked;
