package io.prescale.placement.ledger;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A ledger of nodes that are somewhere in the network, and gangs that ask for places. */
final class NetworkedLedger {
  static final Instant NOW = Instant.parse("2026-11-24T04:00:00Z");
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String LAYER_2 = "topology.k8s.aws/network-node-layer-2";
  static final String RECORD = "hami.io/vgpu-devices-allocated";

  final Ledger ledger = new Ledger(10);
  final List<String> nodes = new ArrayList<>();

  static Nearness required(String level) {
    return new Nearness(Optional.of(level), Optional.empty(), false);
  }

  static Nearness preferred(String level) {
    return new Nearness(Optional.empty(), Optional.of(level), false);
  }

  static Nearness foreign(String level) {
    return new Nearness(Optional.of(level), Optional.empty(), true);
  }

  /** A node of cards in a zone and in a part of it. */
  void node(String name, int cards, String zone, String layer) {
    ledger.seen(
        Nodes.a100(name, cards)
            .at(NetworkLabels.KNOWN.position(Map.of(ZONE, zone, LAYER_2, layer))));
    if (!nodes.contains(name)) {
      nodes.add(name);
    }
  }

  List<PodFacts> gang(String name, int size, int pods, long cards, Nearness nearness) {
    var members =
        IntStream.range(0, pods)
            .mapToObj(i -> Pods.asking(name + i, Map.of("nvidia.com/gpu", cards)))
            .map(pod -> Pods.inGroup(pod, new Group(name, size, nearness, false)))
            .toList();
    members.forEach(ledger::seen);
    return members;
  }

  Candidates offer(PodFacts pod) {
    return ledger.candidates(pod, nodes, true, NOW, _ -> 0);
  }

  String nodeOf(PodFacts pod) {
    return ((Candidates.Nodes) offer(pod)).best().getFirst();
  }

  List<String> nodesOf(List<PodFacts> members) {
    return List.copyOf(new TreeSet<>(members.stream().map(this::nodeOf).toList()));
  }

  String refusal(PodFacts pod) {
    return ((Candidates.Nowhere) offer(pod)).reasons().getOrDefault(nodes.getFirst(), "");
  }

  void bind(PodFacts pod) {
    var node = nodeOf(pod);
    var bind = (Decision.Bind) ledger.decide(pod.uid(), node, NOW);
    var uuids =
        bind.cards().orElseThrow().devices().containers().getFirst().stream()
            .map(use -> "%s,NVIDIA,81920,0:".formatted(use.uuid()))
            .toList();
    ledger.seen(Pods.bound(pod, node, Map.of(RECORD, String.join("", uuids) + ";")));
  }
}
