package io.prescale.placement.claims;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.ledger.CardUse;
import io.prescale.placement.ledger.Totals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Knows which claim holds which cards, and decides which cards a waiting pod's claim is pinned to.
 * Callers report nodes, slices, claims and pods as the API server has them; what was just decided
 * stays reserved until its claim is observed. Thread-safe.
 *
 * <p>A pod gets its cards in three writes. A claim with a selector for the cards is made beside the
 * one that Kubernetes made from the template; the latter is deleted, whereupon Kubernetes gives the
 * pod the former; then the gate is taken from the pod.
 */
public final class ClaimLedger {
  private final CardStock stock = new CardStock();
  private final ClaimHoldings holdings = new ClaimHoldings(stock);
  private final Reservations reservations = new Reservations(stock, holdings);
  private final ClaimDemandReader reader = new ClaimDemandReader(stock);
  private final NextSteps next = new NextSteps(stock, holdings, reservations, reader);

  /** Records the newest state of a node. */
  public synchronized void nodeSeen(String node, Readiness state) {
    node(node, Optional.of(state));
  }

  /** Removes a node that is gone. */
  public synchronized void nodeGone(String node) {
    node(node, Optional.empty());
  }

  private void node(String node, Optional<Readiness> state) {
    if (!stock.isKnown(node, state)) {
      stock.node(node, state);
      readCards(Set.of(node));
    }
  }

  /** Records the newest state of a ResourceSlice. */
  public synchronized void sliceSeen(String name, Slice slice) {
    readCards(stock.put(name, slice));
  }

  /** Removes a ResourceSlice that is gone. */
  public synchronized void sliceGone(String name) {
    readCards(stock.remove(name));
  }

  private void readCards(Set<String> nodes) {
    reader.cardsChanged();
    holdings.readCards(nodes);
  }

  /** Replaces the conditions of all cards, by UUID; the condition of others is unknown. */
  public synchronized void conditions(Map<String, CardReading> now) {
    readCards(stock.conditions(now));
  }

  /**
   * These cards are registered by device plugins: pods get them without claims, so no claim is
   * pinned to them.
   *
   * @param now their nodes by UUID
   */
  public synchronized void registered(Map<String, String> now) {
    var nodes = stock.registered(now);
    if (!nodes.isEmpty()) {
      readCards(nodes);
    }
  }

  /** Records the newest state of a DeviceTaintRule. */
  public synchronized void taintRuleSeen(String name, Taint.Rule rule) {
    readCards(stock.rule(name, Optional.of(rule)));
  }

  /** Removes a DeviceTaintRule that is gone or taints nothing. */
  public synchronized void taintRuleGone(String name) {
    readCards(stock.rule(name, Optional.empty()));
  }

  /** Records the newest state of a DeviceClass. */
  public synchronized void classSeen(String name, List<String> selectors) {
    reader.put(name, selectors);
  }

  /** Removes a DeviceClass that is gone. */
  public synchronized void classGone(String name) {
    reader.remove(name);
  }

  /** Records the newest state of a claim, made and allocated by Prescale or by others. */
  public synchronized void claimSeen(Claim claim) {
    holdings.put(claim);
    claim.owner().ifPresent(pod -> reservations.observed(pod, claim.key()));
  }

  /** Removes a claim that is gone. */
  public synchronized void claimGone(Claim.Key key) {
    holdings.remove(key);
  }

  /** Records the newest state of a pod that has or had our gate. */
  public synchronized void podSeen(ClaimPod pod) {
    if (pod.isOfClaims()) {
      holdings.put(pod);
    } else {
      holdings.removePod(pod.uid());
    }
    next.put(pod);
  }

  /** Removes a pod that is gone. */
  public synchronized void podGone(String uid) {
    next.remove(uid);
    reservations.release(uid);
    holdings.removePod(uid);
  }

  /**
   * The claim that was decided for a pod was not made: its cards are free again.
   *
   * @param again when the pod may be retried
   */
  public synchronized void failed(String uid, Instant again) {
    reservations.backOff(uid, again);
  }

  /** The writes that are due now, for the most important pods first. */
  public synchronized List<Step> steps(Instant now) {
    reservations.expire(now);
    return next.at(now);
  }

  /** One sentence for every device that is left out, by node. */
  public synchronized Map<String, List<String>> problems() {
    return new TreeMap<>(stock.problems());
  }

  /** Why pods wait for their cards, by pod. */
  public synchronized Map<String, String> waiting() {
    return next.waiting();
  }

  /** Which pod has which part of which card; a claim without a pod counts as its own holder. */
  public synchronized List<CardUse> uses() {
    var owners = holdings.owners();
    return CardUse.of(stock.cluster()).stream()
        .map(card -> card.withHolders(name -> owners.getOrDefault(name, name)))
        .toList();
  }

  /** The cards, with what claims hold of them or are pinned to. */
  public synchronized ClusterSnapshot cluster() {
    return stock.cluster();
  }

  /** Sums over the cluster. */
  public synchronized Totals totals() {
    return Totals.of(stock.cluster(), stock.claims(), next.waiting().size());
  }
}
