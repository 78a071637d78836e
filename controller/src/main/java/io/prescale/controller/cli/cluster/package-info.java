/** The commands that run in a cluster or look at one: controller, extender, check, explain, crd. */
@NullMarked
package io.prescale.controller.cli.cluster;

import org.jspecify.annotations.NullMarked;
