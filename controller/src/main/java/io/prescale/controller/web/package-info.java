/**
 * The web page and the JSON that it reads: ports for whoever knows something, an API over them as a
 * function, and a server on loopback. Knows nothing of the demo.
 */
@NullMarked
package io.prescale.controller.web;

import org.jspecify.annotations.NullMarked;
