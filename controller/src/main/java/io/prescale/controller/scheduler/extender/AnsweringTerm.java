package io.prescale.controller.scheduler.extender;

import io.prescale.controller.cluster.Leadership;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every replica watches all the time, so there is nothing to begin or to end.
 *
 * @param mayAnswer whether nothing that it watches keeps this replica from answering
 */
record AnsweringTerm(BooleanSupplier mayAnswer) implements Leadership.Term {
  private static final Logger LOG = LoggerFactory.getLogger(AnsweringTerm.class);

  @Override
  public boolean mayStand() {
    return mayAnswer.getAsBoolean();
  }

  @Override
  public void begin() {
    LOG.info("This replica answers.");
  }

  @Override
  public void end() {
    LOG.info("Another replica answers.");
  }
}
