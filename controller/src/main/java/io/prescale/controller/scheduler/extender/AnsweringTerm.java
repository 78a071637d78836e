package io.prescale.controller.scheduler.extender;

import io.prescale.controller.cluster.Leadership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every replica watches all the time, so a term only begins with a look at the watches. */
final class AnsweringTerm implements Leadership.Term {
  private static final Logger LOG = LoggerFactory.getLogger(AnsweringTerm.class);

  private final Runnable began;

  /**
   * @param began is called at the beginning of each term
   */
  AnsweringTerm(Runnable began) {
    this.began = began;
  }

  @Override
  public void begin() {
    began.run();
    LOG.info("This replica answers.");
  }

  @Override
  public void end() {
    LOG.info("Another replica answers.");
  }
}
