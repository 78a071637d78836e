package io.prescale.controller.sharding;

import io.prescale.controller.cluster.Leadership;
import java.util.Set;

/** The work on shards. It begins without any; all methods are called on one thread. */
public interface SharedWork extends Leadership.Term {
  /** Shards have become this replica's, or are no longer its own. */
  void moved(Set<Integer> shards);

  /** The number of shards that this replica may write for, after each heartbeat or its failure. */
  void worksOn(int shards);
}
