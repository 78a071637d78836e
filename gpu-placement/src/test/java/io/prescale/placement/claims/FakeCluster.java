package io.prescale.placement.claims;

import io.prescale.placement.claims.Claim.Held;
import io.prescale.placement.claims.Claim.Pin;
import io.prescale.placement.claims.Claim.Request;
import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.inventory.PodFacts.Group;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an API server would hold, with the parts of Kubernetes that make claims from templates and
 * allocate them.
 */
final class FakeCluster {
  private final Map<String, Slice> slices = new LinkedHashMap<>();
  private final Map<String, ClaimPod> pods = new TreeMap<>();
  private final Map<Claim.Key, Claim> claims = new LinkedHashMap<>();
  private final Map<String, Request> templates = new HashMap<>();
  private int versions;
  Instant now = Instant.parse("2026-11-21T12:00:00Z");

  void slice(Slice slice) {
    slices.put(slice.node().orElseThrow(), slice);
  }

  void pod(String name, Request request) {
    pod(name, request, Optional.empty());
  }

  void pod(String name, Request request, Optional<Group> group) {
    templates.put(name, request);
    pods.put(
        name,
        new ClaimPod(
            name,
            "ns",
            name,
            0,
            now,
            Optional.of("gpu"),
            Optional.empty(),
            true,
            false,
            false,
            false,
            group));
    makeClaims();
  }

  ClaimPod pod(String name) {
    return Objects.requireNonNull(pods.get(name));
  }

  Map<String, ClaimPod> pods() {
    return pods;
  }

  Map<Claim.Key, Claim> claims() {
    return claims;
  }

  Claim claimOf(String pod) {
    return Objects.requireNonNull(
        claims.get(new Claim.Key("ns", pod(pod).current().orElseThrow())));
  }

  void replace(String name, Optional<String> current, boolean gated, boolean tried, boolean bound) {
    var pod = pod(name);
    pods.put(
        name,
        new ClaimPod(
            pod.uid(),
            "ns",
            name,
            0,
            pod.created(),
            pod.claim(),
            current,
            gated,
            tried,
            bound,
            pod.leaving(),
            pod.group()));
  }

  void delete(String pod) {
    pods.remove(pod);
    claims.values().removeIf(claim -> claim.owner().equals(Optional.of(pod)));
  }

  private Claim claim(Claim.Key key, String pod, Optional<Pin> pin, List<Held> held) {
    return new Claim(
        key,
        key.name(),
        Integer.toString(++versions),
        Optional.of(pod),
        Optional.of("gpu"),
        Optional.ofNullable(templates.get(pod)),
        pin,
        held,
        now);
  }

  /** Like the resource claim controller: adopts a claim of the pod, else makes one. */
  void makeClaims() {
    for (var pod : List.copyOf(pods.values())) {
      boolean has =
          pod.current().filter(name -> claims.containsKey(new Claim.Key("ns", name))).isPresent();
      if (!has) {
        var own =
            claims.values().stream()
                .filter(claim -> claim.owner().equals(Optional.of(pod.uid())))
                .findFirst();
        var key = own.map(Claim::key).orElse(new Claim.Key("ns", pod.name() + "-gpu-" + versions));
        if (own.isEmpty()) {
          claims.put(key, claim(key, pod.uid(), Optional.empty(), List.of()));
        }
        replace(pod.name(), Optional.of(key.name()), pod.gated(), pod.unschedulable(), pod.bound());
      }
    }
  }

  /** Like kube-scheduler: gives pods without a gate what their claims are pinned to. */
  void schedule() {
    for (var pod : List.copyOf(pods.values())) {
      var key = new Claim.Key("ns", pod.current().orElse(""));
      var claim = claims.get(key);
      if (!pod.gated() && !pod.bound() && claim != null && claim.pin().isPresent()) {
        allocate(key);
        replace(pod.name(), pod.current(), false, false, true);
      }
    }
  }

  void allocate(Claim.Key key) {
    var claim = Objects.requireNonNull(claims.get(key));
    var held = new ArrayList<Held>();
    for (var slice : slices.values()) {
      for (var device : slice.devices()) {
        var uuid = Objects.requireNonNull(device.attributes().get(Devices.DRIVER + "/uuid")).text();
        if (claim.pin().orElseThrow().uuids().contains(uuid)) {
          held.add(
              new Held(
                  new Address(slice.driver(), slice.pool(), device.name()),
                  claim.request().orElseThrow().capacity()));
        }
      }
    }
    claims.put(key, claim(key, claim.owner().orElseThrow(), claim.pin(), held));
  }

  /** Does a write, unless the object has changed since the writer saw it. */
  void write(Step step) {
    switch (step) {
      case Step.Pinned pinned ->
          claims.putIfAbsent(
              pinned.claim(),
              claim(pinned.claim(), pinned.pod().uid(), Optional.of(pinned.pin()), List.of()));
      case Step.Replaced replaced -> claims.remove(replaced.claim().key(), replaced.claim());
      case Step.Released released -> {
        var pod = pod(released.pod().name());
        replace(pod.name(), pod.current(), false, pod.unschedulable(), pod.bound());
      }
    }
  }

  /** A ledger that has just been started. */
  ClaimLedger ledger() {
    var ledger = new ClaimLedger();
    ledger.classSeen("gpu", List.of("device.driver == '" + Devices.DRIVER + "'"));
    slices
        .keySet()
        .forEach(
            node -> {
              ledger.nodeSeen(node, Readiness.READY);
              ledger.sliceSeen(node, Objects.requireNonNull(slices.get(node)));
            });
    tell(ledger, Map.of());
    return ledger;
  }

  /** Tells what is different from before. */
  void tell(ClaimLedger ledger, Map<Claim.Key, Claim> before) {
    before.keySet().stream().filter(key -> !claims.containsKey(key)).forEach(ledger::claimGone);
    claims.values().forEach(ledger::claimSeen);
    pods.values().forEach(ledger::podSeen);
  }
}
