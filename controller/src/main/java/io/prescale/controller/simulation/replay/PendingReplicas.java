package io.prescale.controller.simulation.replay;

import java.util.Arrays;

/** Replicas that were created and do not serve yet, oldest first. */
final class PendingReplicas {

  private int[] readyAtSync = new int[16];
  private int size;
  private int earliest = Integer.MAX_VALUE;

  void add(int readyAt) {
    if (size == readyAtSync.length) {
      readyAtSync = Arrays.copyOf(readyAtSync, 2 * size);
    }
    readyAtSync[size++] = readyAt;
    earliest = Math.min(earliest, readyAt);
  }

  /** Takes out those that serve from this sync on, and says how many they are. */
  int takeReady(int sync) {
    if (earliest > sync) {
      return 0;
    }
    int before = size;
    size = 0;
    earliest = Integer.MAX_VALUE;
    for (int i = 0; i < before; i++) {
      if (readyAtSync[i] > sync) {
        add(readyAtSync[i]);
      }
    }
    return before - size;
  }

  /** Deletes up to {@code count}, newest first, and says how many there were to delete. */
  int removeNewest(int count) {
    int removed = Math.min(count, size);
    size -= removed;
    return removed;
  }
}
