package io.prescale.controller;

import java.lang.management.ManagementFactory;

/** What a test keeps in memory. */
public final class UsedHeap {
  private UsedHeap() {}

  /** Bytes of what is reachable, and little else. */
  public static long now() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
