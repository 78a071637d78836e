package io.prescale.controller.scheduler.extender;

import io.prescale.controller.cluster.Leadership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every replica watches all the time, so there is nothing to begin or to end. */
final class AnsweringTerm implements Leadership.Term {
  private static final Logger LOG = LoggerFactory.getLogger(AnsweringTerm.class);

  @Override
  public void begin() {
    LOG.info("This replica answers.");
  }

  @Override
  public void end() {
    LOG.info("Another replica answers.");
  }
}
