package io.prescale.controller.scheduler.claims;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.prescale.controller.cluster.BoundedQuantity;
import io.prescale.placement.claims.ConsumableCapacity;
import io.prescale.placement.claims.ConsumableCapacity.Policy;
import io.prescale.placement.claims.ConsumableCapacity.Range;
import io.prescale.placement.claims.Device;
import io.prescale.placement.claims.Device.Attribute;
import io.prescale.placement.claims.Slice;
import io.prescale.placement.claims.Taint;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads devices and their taints from Kubernetes' objects, which the API server has validated. */
final class DeviceFacts {
  private DeviceFacts() {}

  static Slice of(ResourceSlice slice) {
    var spec = slice.getSpec();
    boolean ofOneNode = !Boolean.TRUE.equals(spec.getPerDeviceNodeSelection());
    return new Slice(
        spec.getDriver(),
        spec.getPool().getName(),
        orZero(spec.getPool().getGeneration()),
        orZero(spec.getPool().getResourceSliceCount()),
        Optional.ofNullable(spec.getNodeName()).filter(name -> ofOneNode && !name.isEmpty()),
        orEmpty(spec.getDevices()).stream().map(device -> of(spec.getDriver(), device)).toList());
  }

  private static Device of(
      String driver, io.fabric8.kubernetes.api.model.resource.v1.Device device) {
    var attributes = new HashMap<String, Attribute>();
    orEmpty(device.getAttributes())
        .forEach(
            (name, value) ->
                attribute(value)
                    .ifPresent(
                        known ->
                            attributes.put(
                                name.indexOf('/') < 0 ? driver + "/" + name : name, known)));
    var capacities = new HashMap<String, ConsumableCapacity>();
    orEmpty(device.getCapacity()).forEach((name, value) -> capacities.put(name, capacity(value)));
    return new Device(
        device.getName(),
        attributes,
        capacities,
        Boolean.TRUE.equals(device.getAllowMultipleAllocations()),
        orEmpty(device.getTaints()).stream()
            .flatMap(taint -> taint(taint.getKey(), taint.getValue(), taint.getEffect()).stream())
            .toList(),
        !orEmpty(device.getConsumesCounters()).isEmpty());
  }

  /** A taint with the effect None keeps no claim away. */
  private static Optional<Taint> taint(
      @Nullable String key, @Nullable String value, @Nullable String effect) {
    return key == null || effect == null || effect.equals("None")
        ? Optional.empty()
        : Optional.of(new Taint(key, value == null ? "" : value, effect));
  }

  /** The taint that a DeviceTaintRule gives, if it is one that keeps claims away. */
  static Optional<Taint.Rule> rule(GenericKubernetesResource object) {
    Object selector = object.get("spec", "deviceSelector");
    Object taint = object.get("spec", "taint");
    if (!(selector instanceof Map<?, ?> selected) || !(taint instanceof Map<?, ?> given)) {
      return Optional.empty();
    }
    return taint(text(given, "key"), text(given, "value"), text(given, "effect"))
        .map(
            kept ->
                new Taint.Rule(
                    Optional.ofNullable(text(selected, "driver")),
                    Optional.ofNullable(text(selected, "pool")),
                    Optional.ofNullable(text(selected, "device")),
                    kept));
  }

  private static @Nullable String text(Map<?, ?> map, String name) {
    return map.get(name) instanceof String text ? text : null;
  }

  private static Optional<Attribute> attribute(DeviceAttribute value) {
    if (value.getString() != null) {
      return Optional.of(new Attribute(Attribute.Kind.TEXT, value.getString()));
    }
    if (value.getInt() != null) {
      return Optional.of(new Attribute(Attribute.Kind.NUMBER, value.getInt().toString()));
    }
    if (value.getBool() != null) {
      return Optional.of(new Attribute(Attribute.Kind.FLAG, value.getBool().toString()));
    }
    return Optional.ofNullable(value.getVersion())
        .map(version -> new Attribute(Attribute.Kind.VERSION, version));
  }

  private static ConsumableCapacity capacity(DeviceCapacity capacity) {
    return new ConsumableCapacity(
        BoundedQuantity.amount(capacity.getValue()),
        Optional.ofNullable(capacity.getRequestPolicy()).map(DeviceFacts::policy));
  }

  private static Policy policy(CapacityRequestPolicy policy) {
    var range = policy.getValidRange();
    return new Policy(
        amount(policy.getDefault()),
        range == null || range.getMin() == null
            ? Optional.empty()
            : Optional.of(
                new Range(
                    BoundedQuantity.amount(range.getMin()),
                    amount(range.getMax()),
                    amount(range.getStep()))),
        orEmpty(policy.getValidValues()).stream().map(BoundedQuantity::amount).toList());
  }

  private static Optional<BigDecimal> amount(@Nullable Quantity quantity) {
    return Optional.ofNullable(quantity).map(BoundedQuantity::amount);
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
