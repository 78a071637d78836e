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

  /** A node is as given. */
  public synchronized void nodeSeen(String node, Readiness state) {
    node(node, Optional.of(state));
  }

  /** A node is gone. */
  public synchronized void nodeGone(String node) {
    node(node, Optional.empty());
  }

  private void node(String node, Optional<Readiness> state) {
    if (!stock.isKnown(node, state)) {
      stock.node(node, state);
      readCards(Set.of(node));
    }
  }

  /** A ResourceSlice is as given. */
  public synchronized void sliceSeen(String name, Slice slice) {
    readCards(stock.put(name, slice));
  }

  /** A ResourceSlice is gone. */
  public synchronized void sliceGone(String name) {
    readCards(stock.remove(name));
  }

  private void readCards(Set<String> nodes) {
    reader.cardsChanged();
    holdings.readCards(nodes);
  }

  /** All cards whose condition is known are in these conditions, by UUID. */
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

  /** A DeviceTaintRule is as given. */
  public synchronized void taintRuleSeen(String name, Taint.Rule rule) {
    readCards(stock.rule(name, Optional.of(rule)));
  }

  /** A DeviceTaintRule no longer taints anything. */
  public synchronized void taintRuleGone(String name) {
    readCards(stock.rule(name, Optional.empty()));
  }

  /** A DeviceClass is as given. */
  public synchronized void classSeen(String name, List<String> selectors) {
    reader.put(name, selectors);
  }

  /** A DeviceClass is gone. */
  public synchronized void classGone(String name) {
    reader.remove(name);
  }

  /** A claim is as given, made and allocated by Prescale or by others. */
  public synchronized void claimSeen(Claim claim) {
    holdings.put(claim);
    claim.owner().ifPresent(pod -> reservations.observed(pod, claim.key()));
  }

  /** A claim is gone. */
  public synchronized void claimGone(Claim.Key key) {
    holdings.remove(key);
  }

  /** A pod that has or had our gate is as given. */
  public synchronized void podSeen(ClaimPod pod) {
    next.put(pod);
  }

  /** A pod is gone. */
  public synchronized void podGone(String uid) {
    next.remove(uid);
    reservations.release(uid);
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
