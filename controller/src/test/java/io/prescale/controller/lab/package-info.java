/** End-to-end tests on a real Kubernetes control plane, which runs on this machine's loopback. */
@NullMarked
package io.prescale.controller.lab;

import org.jspecify.annotations.NullMarked;
