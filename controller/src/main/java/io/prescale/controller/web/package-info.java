/**
 * The web page and the JSON that it reads: ports for what it shows, and endpoints over them. Knows
 * nothing of the demo.
 */
@NullMarked
package io.prescale.controller.web;

import org.jspecify.annotations.NullMarked;
