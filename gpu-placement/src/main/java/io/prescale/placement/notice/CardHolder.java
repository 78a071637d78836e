package io.prescale.placement.notice;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod that has cards.
 *
 * @param uid also the name of its request in the cluster
 * @param queue that pays for it
 * @param milli what it takes of the queue, in thousandths of a card
 * @param mode what may be done to it: that of its queue, or {@code OFF} if it is never taken
 * @param isLeaving whether it is ending already
 * @param grace the notice that it gets
 * @param pauseCost what its pause costs beyond its length: work since the last checkpoint, a start
 * @param notice that it has
 * @param gang those that end with it, beyond the gang's minimum
 * @param workload that it belongs to, if that can be suspended or scaled down
 * @param isElastic whether that is scaled down by as many pods as leave, and not suspended
 * @param end by its own word, if it gives one and has not outlived it
 */
public record CardHolder(
    String uid,
    String queue,
    long milli,
    ReclaimPolicy.Mode mode,
    boolean isLeaving,
    Duration grace,
    Duration pauseCost,
    Optional<Notice> notice,
    Optional<String> gang,
    Optional<String> workload,
    boolean isElastic,
    Optional<Instant> end) {
  /** Of work that declares no other. */
  public static final Duration USUAL_PAUSE_COST = Duration.ofMinutes(10);

  public CardHolder {
    if (pauseCost.isNegative()) {
      throw new IllegalArgumentException(
          "the pause of %s costs %s; give 0 or more".formatted(uid, pauseCost));
    }
    if (isElastic && workload.isEmpty()) {
      throw new IllegalArgumentException(uid + " is of no workload that could be scaled down");
    }
  }

  /** A pod that does not say when it ends. */
  public CardHolder(
      String uid,
      String queue,
      long milli,
      ReclaimPolicy.Mode mode,
      boolean isLeaving,
      Duration grace,
      Duration pauseCost,
      Optional<Notice> notice,
      Optional<String> gang,
      Optional<String> workload,
      boolean isElastic) {
    this(
        uid,
        queue,
        milli,
        mode,
        isLeaving,
        grace,
        pauseCost,
        notice,
        gang,
        workload,
        isElastic,
        Optional.empty());
  }

  /** Whether it has its notice and has not begun to leave. */
  public boolean isNotified() {
    return !isLeaving && notice.isPresent();
  }

  /** Whether it goes by itself by a time, without any notice. */
  boolean endsBy(Instant time) {
    return !isLeaving && notice.isEmpty() && end.filter(it -> !it.isAfter(time)).isPresent();
  }

  /** Whether its workload is scaled down pod by pod, to its minimum. */
  boolean leavesAlone() {
    return isElastic && gang.equals(workload);
  }

  /** Those with which it leaves as a whole, if not alone: its gang. */
  String unit() {
    return leavesAlone() ? uid : gang.orElse(uid);
  }

  /** A copy with another notice, or none. */
  public CardHolder withNotice(Optional<Notice> newNotice) {
    return new CardHolder(
        uid, queue, milli, mode, isLeaving, grace, pauseCost, newNotice, gang, workload, isElastic,
        end);
  }
}
