/**
 * What nodes and pods say, without the Kubernetes client's classes, and which nodes let pods in.
 */
@NullMarked
package io.prescale.controller.scheduler.facts;

import org.jspecify.annotations.NullMarked;
