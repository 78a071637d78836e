package io.prescale.controller.scheduler.claims;

import io.prescale.controller.cluster.BriefJson;
import io.prescale.controller.cluster.Kept;

/**
 * What is read of claims and their classes: nothing of the parameters of devices. Users write them
 * as they like, for instance such that the client library takes them for an object of Kubernetes,
 * and a claim may have 320 KiB of them.
 */
final class ClaimsInBrief {
  /** The devices that it holds, which are known of a claim that is too large as well. */
  private static final Kept HELD =
      Kept.fields()
          .with(
              "allocation", Kept.fields().with("devices", Kept.fields().with("results", result())));

  /** Whose it is, what it is pinned to, what it asks for and what it holds. */
  static final BriefJson JSON =
      new BriefJson(
          "resourceclaims",
          Kept.fields("kind", "apiVersion")
              .with("metadata", metadata())
              .with("spec", Kept.fields().with("devices", devices()))
              .with("status", HELD),
          BriefJson.IDENTITY.with("status", HELD));

  /** Which devices a class has; one that is too large is unknown, as its devices would be wrong. */
  static final BriefJson CLASSES =
      new BriefJson(
          "deviceclasses",
          Kept.fields("kind", "apiVersion")
              .with("metadata", Kept.fields("name", "uid", "resourceVersion"))
              .with("spec", Kept.fields("selectors")));

  private ClaimsInBrief() {}

  private static Kept metadata() {
    return Kept.fields("namespace", "name", "uid", "resourceVersion", "creationTimestamp")
        .with("annotations", Kept.fields(ClaimFacts.POD_CLAIM, ClaimFacts.NODE, ClaimFacts.CARDS))
        .with("ownerReferences", Kept.fields("kind", "uid", "controller"));
  }

  private static Kept devices() {
    return Kept.fields()
        .with("requests", Kept.fields("exactly"))
        .with("constraints", Kept.fields("matchAttribute"));
  }

  private static Kept result() {
    return Kept.fields("driver", "pool", "device", "adminAccess", "consumedCapacity");
  }
}
