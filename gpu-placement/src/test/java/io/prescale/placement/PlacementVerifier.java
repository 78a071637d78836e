package io.prescale.placement;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks placements against the bare description of the nodes, by an independent count: it uses
 * none of the engine's accounting, filters or tables of profiles.
 *
 * <p>Each finding is a sentence; no finding means that the placements are legal.
 */
final class PlacementVerifier {
  private final Map<String, NodeSpec> nodes = new HashMap<>();

  PlacementVerifier(Collection<NodeSpec> specs) {
    specs.forEach(spec -> nodes.put(spec.name(), spec));
  }

  /** The breaches among all placements at one time. */
  List<String> findings(Collection<Placement> placements) {
    var findings = new ArrayList<String>();
    var names = new HashSet<String>();
    var byNode = new HashMap<String, List<Placement>>();
    for (var placement : placements) {
      if (!names.add(placement.request().name())) {
        findings.add(placement.request().name() + " is placed twice");
      }
      byNode.computeIfAbsent(placement.node(), _ -> new ArrayList<>()).add(placement);
    }
    byNode.forEach(
        (name, here) -> {
          var node = nodes.get(name);
          if (node == null) {
            findings.add("there is no node " + name);
          } else {
            here.forEach(placement -> checkOne(node, placement, findings));
            checkSums(node, here, findings);
          }
        });
    return findings;
  }

  /** The breaches of gangs whose members have all been requested. */
  List<String> gangFindings(
      Collection<GpuRequest> requests, Collection<Placement> placements, NetworkScope scope) {
    var findings = new ArrayList<String>();
    var asked = new HashMap<String, Integer>();
    for (var request : requests) {
      request.standing().gang().ifPresent(gang -> asked.merge(gang, 1, Integer::sum));
    }
    var placed = new HashMap<String, List<Placement>>();
    for (var placement : placements) {
      var gang = placement.request().standing().gang();
      gang.ifPresent(name -> placed.computeIfAbsent(name, _ -> new ArrayList<>()).add(placement));
    }
    placed.forEach(
        (gang, members) -> {
          if (members.size() != asked.getOrDefault(gang, 0)) {
            findings.add(
                "gang %s: %d of %d members are placed"
                    .formatted(gang, members.size(), asked.getOrDefault(gang, 0)));
          }
          if (domains(members, scope) > 1) {
            findings.add("gang %s is spread beyond %s".formatted(gang, scope.phrase()));
          }
        });
    return findings;
  }

  private long domains(List<Placement> members, NetworkScope scope) {
    return members.stream()
        .map(member -> Optional.ofNullable(nodes.get(member.node())))
        .map(node -> node.map(spec -> domain(spec, scope)).orElse("?"))
        .distinct()
        .count();
  }

  /** An unknown position is a domain of its own; racks of two blocks are two racks. */
  private static String domain(NodeSpec node, NetworkScope scope) {
    var names = node.position().domains();
    int level = List.of("node", "NVLink domain", "rack", "block", "cluster").indexOf(scope.name());
    var name =
        switch (level) {
          case 0 -> node.name();
          case 4 -> "all";
          default -> level - 1 < names.size() ? names.get(level - 1) : "";
        };
    return name.isEmpty() ? "alone:" + node.name() : name;
  }

  private static void checkOne(NodeSpec node, Placement placement, List<String> findings) {
    var request = placement.request();
    if (node.readiness() != NodeSpec.Readiness.READY) {
      findings.add(
          "%s is on %s, which is %s".formatted(request.name(), node.name(), node.readiness()));
    }
    if (placement.shares().size() != request.shape().gpus()) {
      findings.add(request.name() + " has another number of cards than it asks for");
    }
    boolean linked = request.shape().links().strength() != LinkRequirement.Strength.NONE;
    var cards = new HashSet<Integer>();
    for (var share : placement.shares()) {
      if (!cards.add(share.card()) && (linked || share.mig().isEmpty())) {
        findings.add(request.name() + " has a card twice");
      }
      if (share.card() >= node.gpus().size()) {
        findings.add(
            "%s is on card %d, which is not there".formatted(request.name(), share.card()));
      } else {
        checkShare(node.gpus().get(share.card()), request, share, findings);
      }
    }
    if (request.shape().links().strength() == LinkRequirement.Strength.REQUIRED) {
      checkLinks(node, request, List.copyOf(cards), findings);
    }
  }

  private static void checkShare(
      Gpu gpu, GpuRequest request, GpuShare share, List<String> findings) {
    var name = request.name();
    if (!gpu.uuid().equals(share.uuid())) {
      findings.add("%s has the UUID of another card".formatted(name));
    }
    if (gpu.health().state() != GpuHealth.State.USABLE) {
      findings.add("%s is on %s, which is %s".formatted(name, gpu.uuid(), gpu.health().state()));
    }
    var wanted = request.shape().cards();
    boolean accepted =
        (wanted.vendors().isEmpty() || wanted.vendors().contains(gpu.vendor()))
            && (wanted.models().isEmpty() || wanted.models().contains(gpu.model()))
            && (wanted.uuids().isEmpty() || wanted.uuids().contains(gpu.uuid()))
            && !wanted.excludedModels().contains(gpu.model())
            && !wanted.excludedUuids().contains(gpu.uuid());
    if (!accepted) {
      findings.add("%s does not accept %s".formatted(name, gpu.uuid()));
    }
    if (!isEnough(gpu, request.shape().demand(), share)) {
      findings.add("%s asks for %s and has %s".formatted(name, request.shape().demand(), share));
    }
  }

  private static boolean isEnough(Gpu gpu, GpuDemand demand, GpuShare share) {
    boolean cut = gpu.partitioning() == Partitioning.MIG;
    boolean placed =
        gpu.partitioning() != Partitioning.MIG_BY_SIZE
            || share.mig().filter(slot -> isLegalPlace(slot.profile(), slot.start())).isPresent();
    return switch (demand) {
      case GpuDemand.NoGpu _ -> false;
      case GpuDemand.WholeGpu whole ->
          !cut
              && gpu.partitioning() != Partitioning.MIG_BY_SIZE
              && gpu.memoryMib() >= whole.leastMemoryMib()
              && share.computeMilli() == gpu.computeMilli()
              && share.memoryMib() == gpu.memoryMib();
      case GpuDemand.Fraction fraction ->
          !cut
              && placed
              && 1000L * share.computeMilli() >= (long) fraction.milli() * gpu.computeMilli() - 999
              && 1000L * share.memoryMib() >= (long) fraction.milli() * gpu.memoryMib() - 999;
      case GpuDemand.Share wanted ->
          !cut
              && placed
              && share.computeMilli() >= wanted.computeMilli()
              && share.memoryMib() >= wanted.memoryMib();
      case GpuDemand.MigInstance instance ->
          (cut || gpu.partitioning() == Partitioning.MIG_BY_SIZE)
              && share.mig().isPresent()
              && share.mig().get().profile().equals(instance.profile())
              && isLegalPlace(share.mig().get().profile(), share.mig().get().start());
    };
  }

  /**
   * The places of {@code nvidia-smi mig -lgipp} on A100, H100 and their kin (NVIDIA MIG User Guide,
   * "Getting Started with MIG"), by compute slices; memory distinguishes {@code 1g.20gb} from
   * {@code 1g.10gb}.
   */
  private static boolean isLegalPlace(String profile, int start) {
    return switch (profile) {
      case "1g.5gb", "1g.10gb" -> start >= 0 && start <= 6;
      case "1g.20gb" -> start == 0 || start == 2 || start == 4 || start == 6;
      case "2g.10gb", "2g.20gb" -> start == 0 || start == 2 || start == 4;
      case "3g.20gb", "3g.40gb" -> start == 0 || start == 4;
      case "4g.20gb", "4g.40gb", "7g.40gb", "7g.80gb" -> start == 0;
      default -> throw new IllegalArgumentException("this verifier does not know " + profile);
    };
  }

  private static void checkLinks(
      NodeSpec node, GpuRequest request, List<Integer> cards, List<String> findings) {
    var scope = request.shape().links().scope();
    int least = scope.leastScore();
    boolean byNuma = scope == LinkRequirement.LinkScope.NUMA_NODE && node.numa().isPresent();
    var known = byNuma ? node.numa() : node.links();
    for (int i = 0; i < cards.size(); i++) {
      for (int j = 0; j < i; j++) {
        int score = known.isEmpty() ? 0 : known.get().score(cards.get(i), cards.get(j));
        if (score < least) {
          findings.add(
              "%s needs %s between cards %d and %d of %s"
                  .formatted(
                      request.name(), scope.phrase(), cards.get(j), cards.get(i), node.name()));
        }
      }
    }
  }

  private static void checkSums(NodeSpec node, List<Placement> here, List<String> findings) {
    long cpu = here.stream().mapToLong(p -> p.request().shape().host().cpuMilli()).sum();
    long memory = here.stream().mapToLong(p -> p.request().shape().host().memoryMib()).sum();
    if (cpu > node.cpuMilli() || memory > node.memoryMib()) {
      findings.add(
          "%s has %d milli and %d MiB, of which %d and %d are promised"
              .formatted(node.name(), node.cpuMilli(), node.memoryMib(), cpu, memory));
    }
    for (int card = 0; card < node.gpus().size(); card++) {
      checkCard(node.gpus().get(card), sharesOf(card, here), findings);
    }
  }

  private static List<GpuShare> sharesOf(int card, List<Placement> here) {
    return here.stream()
        .flatMap(placement -> placement.shares().stream())
        .filter(share -> share.card() == card)
        .toList();
  }

  private static void checkCard(Gpu gpu, List<GpuShare> shares, List<String> findings) {
    if (gpu.partitioning() == Partitioning.MIG || gpu.partitioning() == Partitioning.MIG_BY_SIZE) {
      checkMig(gpu, shares, findings);
      return;
    }
    long compute = shares.stream().mapToLong(GpuShare::computeMilli).sum();
    long memory = shares.stream().mapToLong(GpuShare::memoryMib).sum();
    if (compute > gpu.computeMilli() || memory > gpu.memoryMib()) {
      findings.add(
          "%s has %d milli and %d MiB, of which %d and %d are promised"
              .formatted(gpu.uuid(), gpu.computeMilli(), gpu.memoryMib(), compute, memory));
    }
    if (shares.size() > gpu.slots()) {
      findings.add(
          "%s has %d slots and %d sharers".formatted(gpu.uuid(), gpu.slots(), shares.size()));
    }
  }

  private static void checkMig(Gpu gpu, List<GpuShare> shares, List<String> findings) {
    int taken = 0;
    for (var share : shares) {
      int slices = share.mig().map(slot -> ((1 << slot.size()) - 1) << slot.start()).orElse(0xff);
      if ((taken & slices) != 0 || slices > 0xff) {
        findings.add("%s: MIG instances overlap or leave the card".formatted(gpu.uuid()));
      }
      taken |= slices;
    }
  }
}
