package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.cluster.LinkRequirement;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ResourceClaim, as far as placement needs it.
 *
 * @param version of the object as observed, so that only that version is deleted
 * @param owner the UID of the pod that it was made for, if it was
 * @param podClaim how that pod names it
 * @param request the only one; empty when there are several, or one that is not understood
 * @param pin the chosen cards, if we made the claim
 * @param held devices that are allocated to it
 * @param created the time of its creation
 */
public record Claim(
    Key key,
    String uid,
    String version,
    Optional<String> owner,
    Optional<String> podClaim,
    Optional<Request> request,
    Optional<Pin> pin,
    List<Held> held,
    Instant created) {
  public Claim {
    held = List.copyOf(held);
  }

  /** The name of a claim. */
  public record Key(String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /**
   * What a claim asks for.
   *
   * @param selectors CEL expressions
   * @param capacity of each device
   * @param tolerations of taints of the devices
   * @param links that its constraints require between them
   */
  public record Request(
      String deviceClass,
      int count,
      List<String> selectors,
      Map<String, BigDecimal> capacity,
      List<Taint.Toleration> tolerations,
      LinkRequirement links) {
    public Request {
      selectors = List.copyOf(selectors);
      capacity = Map.copyOf(capacity);
      tolerations = List.copyOf(tolerations);
    }
  }

  /** Cards of a node. */
  public record Pin(String node, List<String> uuids) {
    public Pin {
      uuids = List.copyOf(uuids);
    }

    /** The CEL expression that accepts these cards of a driver and no others. */
    public String expression(String driver) {
      return Selector.pin(driver, uuids);
    }
  }

  /**
   * An allocated device.
   *
   * @param consumed of a shared one
   */
  public record Held(Address device, Map<String, BigDecimal> consumed) {
    public Held {
      consumed = Map.copyOf(consumed);
    }
  }

  boolean isAllocated() {
    return !held.isEmpty();
  }
}
