package io.prescale.controller.scheduler.reclaim;

import io.prescale.controller.scheduler.evictions.NewestSteps;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.reclaim.NoticeWebhook.What;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimStep;
import io.prescale.placement.notice.ReclaimView;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Events of the pods that wait and of those that get notice, and what is posted of the latter. Not
 * thread-safe.
 */
final class ReclaimReports {
  private static final int MOST_NAMES = 3;

  private final PodWriter writer;
  private final NoticeWebhook webhook;
  private final Function<String, Optional<PodTerms>> pods;

  /** What was advised in the last round, so that it is said once. */
  private Set<ReclaimStep> advised = Set.of();

  ReclaimReports(
      PodWriter writer, NoticeWebhook webhook, Function<String, Optional<PodTerms>> pods) {
    this.writer = writer;
    this.webhook = webhook;
    this.pods = pods;
  }

  /**
   * Reports new notices and new advice.
   *
   * @param steps that were carried out
   */
  void report(
      List<ReclaimStep> steps, ReclaimView view, Map<String, Claimant> claims, Instant now) {
    var byClaim = new HashMap<String, Set<String>>();
    var advice = new HashSet<ReclaimStep>();
    for (var step : steps) {
      if (step instanceof ReclaimStep.Notify(var uid, var notice)) {
        byClaim.computeIfAbsent(notice.claim(), _ -> new HashSet<>()).add(uid);
        var claim = Objects.requireNonNull(claims.get(notice.claim()));
        pods.apply(uid).ifPresent(pod -> reportNotice(pod, notice, claim, now));
        post(What.NOTICE, view.holder(uid), notice);
      } else if (step instanceof ReclaimStep.Withdraw(var uid)) {
        view.noticeOf(uid).ifPresent(_ -> withdrawn(view.holder(uid)));
      } else if (step instanceof ReclaimStep.Advise(var claim, var uids, _)) {
        var timeless = new ReclaimStep.Advise(claim, uids, Instant.EPOCH);
        advice.add(timeless);
        if (!advised.contains(timeless)) {
          var text = "Act would take back for it: " + whose(uids, view);
          pods(Objects.requireNonNull(claims.get(claim)))
              .forEach(pod -> writer.news(pod, "ReclaimAdvice", text, now));
        }
      }
    }
    byClaim.forEach(
        (claim, uids) ->
            toClaimants(
                Objects.requireNonNull(claims.get(claim)),
                "ReclaimPending",
                "Cards are taken back for it, with notice: " + whose(uids, view),
                now));
    advised = advice;
  }

  /** Posts that the notice of a pod stands no longer. */
  void withdrawn(CardHolder holder) {
    holder.notice().ifPresent(it -> post(What.WITHDRAWN, holder, it));
  }

  /** Reports that nothing more is taken for a claim for a while. */
  void unbound(Claimant claim, Instant now) {
    toClaimants(
        claim,
        "ReclaimUnused",
        "Its cards are free, and it was not bound within two minutes; they are given out again.",
        now);
  }

  private void reportNotice(PodTerms pod, Notice notice, Claimant claim, Instant now) {
    var whom =
        pods(claim)
            .map(PodTerms::display)
            .sorted()
            .limit(MOST_NAMES)
            .collect(Collectors.joining(", "));
    var forWhat = Expectation.bookingOf(notice).map("booking "::concat).orElse(whom);
    writer.event(
        pod,
        "ReclaimNotice",
        "Gives its cards back at %s: queue %s is owed them, for %s."
            .formatted(PodWriter.written(notice.at()), claim.queue(), forWhat),
        now);
  }

  List<NewestSteps.Step> lastSteps() {
    return writer.lastSteps();
  }

  private void toClaimants(Claimant claim, String reason, String message, Instant now) {
    pods(claim).forEach(pod -> writer.event(pod, reason, message, now));
  }

  private Stream<PodTerms> pods(Claimant claim) {
    return claim.pods().stream().flatMap(uid -> pods.apply(uid).stream());
  }

  private void post(What what, CardHolder holder, Notice notice) {
    pods.apply(holder.uid()).ifPresent(pod -> webhook.say(what, pod, holder.queue(), notice));
  }

  private static String whose(Set<String> uids, ReclaimView view) {
    return uids.stream()
        .map(view::holder)
        .collect(Collectors.groupingBy(CardHolder::queue, Collectors.counting()))
        .entrySet()
        .stream()
        .map(
            entry ->
                "%d %s of queue %s"
                    .formatted(
                        entry.getValue(), entry.getValue() == 1 ? "pod" : "pods", entry.getKey()))
        .sorted()
        .collect(Collectors.joining(", ", "", "."));
  }
}
