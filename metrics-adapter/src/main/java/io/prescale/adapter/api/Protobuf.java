package io.prescale.adapter.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes one protocol-buffers message (protobuf.dev, "Encoding"), field by field. */
public final class Protobuf {
  private static final byte[] KUBERNETES = {'k', '8', 's', 0};

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A number; booleans are 0 and 1. */
  public Protobuf number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  public Protobuf floating(int field, double value) {
    varint(((long) field << 3) | 1);
    out.writeBytes(
        ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
    return this;
  }

  public Protobuf text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  public Protobuf message(int field, Protobuf value) {
    return bytes(field, value.toByteArray());
  }

  public byte[] toByteArray() {
    return out.toByteArray();
  }

  /**
   * The envelope of every Kubernetes object: a magic number and a {@code runtime.Unknown} ({@code
   * k8s.io/apimachinery/pkg/runtime/generated.proto}).
   */
  static byte[] envelope(String apiVersion, String kind, Protobuf object) {
    var unknown =
        new Protobuf()
            .message(1, new Protobuf().text(1, apiVersion).text(2, kind))
            .message(2, object)
            .text(3, "")
            .text(4, "");
    var all = new ByteArrayOutputStream();
    all.writeBytes(KUBERNETES);
    all.writeBytes(unknown.toByteArray());
    return all.toByteArray();
  }

  private Protobuf bytes(int field, byte[] value) {
    varint(((long) field << 3) | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    var rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
