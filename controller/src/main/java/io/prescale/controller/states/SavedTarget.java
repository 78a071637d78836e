package io.prescale.controller.states;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is saved of one PredictiveHPA.
 *
 * @param namespace whose room it takes
 * @param savedAt to the second
 * @param metrics by name
 */
public record SavedTarget(String namespace, Instant savedAt, Map<String, Metric> metrics) {
  private static final int VERSION = 2;
  private static final int MOST_METRICS = 64;

  /** What is saved of one metric. */
  public static final class Metric {
    private final long query;
    private final byte[] state;

    /**
     * @param query a number for the query whose samples were observed; equal for equal ones
     * @param state what a cycle goes on from; not copied
     */
    public Metric(long query, byte[] state) {
      this.query = query;
      this.state = state;
    }

    public long query() {
      return query;
    }

    public byte[] state() {
      return state;
    }
  }

  public SavedTarget {
    savedAt = Instant.ofEpochSecond(savedAt.getEpochSecond());
    metrics = Map.copyOf(metrics);
  }

  /**
   * As bytes, big-endian: version (1), namespace, seconds since the epoch (8), the number of
   * metrics (1); for each its name, its query (8), the length of its state (4) and the state.
   */
  byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(namespace);
      out.writeLong(savedAt.getEpochSecond());
      out.writeByte(metrics.size());
      for (var metric : metrics.entrySet()) {
        out.writeUTF(metric.getKey());
        out.writeLong(metric.getValue().query());
        out.writeInt(metric.getValue().state().length);
        out.write(metric.getValue().state());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory cannot fail
    }
    return bytes.toByteArray();
  }

  /**
   * Whose room the bytes take, without reading the rest; empty when nothing can be made of them.
   */
  static Optional<String> namespace(byte[] bytes) {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return namespace(in);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> namespace(DataInputStream in) throws IOException {
    return in.readByte() == VERSION ? Optional.of(in.readUTF()) : Optional.empty();
  }

  /** What was saved; empty when nothing can be made of the bytes. */
  static Optional<SavedTarget> of(byte[] bytes) {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      var namespace = namespace(in);
      if (namespace.isEmpty()) {
        return Optional.empty();
      }
      long savedAt = in.readLong();
      int count = in.readUnsignedByte();
      if (savedAt < 0 || savedAt > Instant.MAX.getEpochSecond() || count > MOST_METRICS) {
        return Optional.empty();
      }
      var metrics = new LinkedHashMap<String, Metric>();
      for (int i = 0; i < count; i++) {
        var name = in.readUTF();
        long query = in.readLong();
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
          return Optional.empty();
        }
        metrics.put(name, new Metric(query, in.readNBytes(length)));
      }
      return Optional.of(new SavedTarget(namespace.get(), Instant.ofEpochSecond(savedAt), metrics));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
