/** The connection to a Kubernetes cluster: client, leadership by Lease, failures and watches. */
@NullMarked
package io.prescale.controller.cluster;

import org.jspecify.annotations.NullMarked;
