package io.prescale.forecasting.online;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The part of a {@link PeakForecaster} that outlives its process, as bytes.
 *
 * <p>Big-endian: magic (4 bytes), version (2), step of the observations in nanoseconds (8), lead
 * and window in such steps (4 each); seconds and nanoseconds of the beginning of the next step (8
 * and 4), numbers of observations, of calibration numbers and of model numbers (4 each); then,
 * deflated, the observations as {@link CoarseSeries}, the calibration in single precision, the
 * models; each as four bytes a number, first the highest byte of every number, then the second and
 * so on, which compresses better; last a CRC-32 of all bytes before it.
 */
final class ForecasterState {
  static final int VERSION = 7;
  private static final int MAGIC = 0x5053706b; // PSpk

  /** The length of magic and version, and of these with the rest of the header. */
  private static final int PREAMBLE = 6;

  private static final int HEADER = 46;
  private static final int CHECKSUM = 4;
  private static final int MOST_MODEL_NUMBERS = 1 << 18;
  private static final long LATEST_SECONDS = 253_402_300_799L; // end of the year 9999

  final Duration step;
  final int lead;
  final int window;
  final Instant next;
  final float[] observations;
  final float[] calibration;
  final int[] models;

  /**
   * Creates a state that owns the given arrays.
   *
   * @param lead in observed steps
   * @param window in observed steps
   * @param observations as observed, NaN where missing, oldest first, the last before {@code next}
   * @param models empty without any
   */
  ForecasterState(
      Duration step,
      int lead,
      int window,
      Instant next,
      float[] observations,
      float[] calibration,
      int[] models) {
    this.step = step;
    this.lead = lead;
    this.window = window;
    this.next = next;
    this.observations = observations;
    this.calibration = calibration;
    this.models = models;
  }

  /** Thrown for bytes that are not a valid state; the message completes "the saved state …". */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableException(String reason) {
      super(reason);
    }
  }

  byte[] toBytes() {
    var header =
        ByteBuffer.allocate(HEADER)
            .putInt(MAGIC)
            .putShort((short) VERSION)
            .putLong(step.toNanos())
            .putInt(lead)
            .putInt(window)
            .putLong(next.getEpochSecond())
            .putInt(next.getNano())
            .putInt(observations.length)
            .putInt(calibration.length)
            .putInt(models.length);
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(header.array());
    var deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (var out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(planes(CoarseSeries.of(observations).toNumbers()));
      out.write(planes(bits(calibration)));
      out.write(planes(models));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    } finally {
      deflater.end();
    }
    int checksum = checksum(bytes.toByteArray(), bytes.size());
    bytes.writeBytes(ByteBuffer.allocate(CHECKSUM).putInt(checksum).array());
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @param mostObservations maximum number of observations, which bounds the memory that hostile
   *     bytes can take
   * @param calibrationNumbers the expected number of calibration numbers
   */
  static ForecasterState read(byte[] bytes, int mostObservations, int calibrationNumbers)
      throws UnreadableException {
    requireIntact(bytes);
    var header = ByteBuffer.wrap(bytes).position(PREAMBLE);
    var step = Duration.ofNanos(header.getLong());
    int lead = header.getInt();
    int window = header.getInt();
    Instant next = instant(header.getLong(), header.getInt());
    int observed = header.getInt();
    int calibrated = header.getInt();
    int modelled = header.getInt();
    if (observed < 0 || observed > mostObservations) {
      throw new UnreadableException(
          "claims %d observations, at most %d are kept".formatted(observed, mostObservations));
    }
    if (calibrated != calibrationNumbers) {
      throw new UnreadableException(
          "claims %d calibration numbers instead of %d".formatted(calibrated, calibrationNumbers));
    }
    if (modelled < 0 || modelled > MOST_MODEL_NUMBERS) {
      throw new UnreadableException("claims " + modelled + " model numbers");
    }
    int packed = bytes.length - HEADER - CHECKSUM;
    try (var in = new InflaterInputStream(new ByteArrayInputStream(bytes, HEADER, packed))) {
      var observations = CoarseSeries.ofNumbers(numbers(in, CoarseSeries.size(observed))).toArray();
      var calibration = floats(numbers(in, calibrated));
      var models = numbers(in, modelled);
      if (in.read() >= 0) {
        throw new UnreadableException("holds more numbers than it claims");
      }
      return new ForecasterState(step, lead, window, next, observations, calibration, models);
    } catch (IOException | IllegalArgumentException e) {
      throw new UnreadableException("cannot be unpacked: " + e.getMessage());
    }
  }

  private static void requireIntact(byte[] bytes) throws UnreadableException {
    if (bytes.length < HEADER + CHECKSUM) {
      throw new UnreadableException("is cut short: " + bytes.length + " bytes");
    }
    var preamble = ByteBuffer.wrap(bytes);
    if (preamble.getInt() != MAGIC) {
      throw new UnreadableException("is not one of a peak forecaster");
    }
    int version = preamble.getShort();
    if (version != VERSION) {
      throw new UnreadableException("is of version " + version + ", not " + VERSION);
    }
    int end = bytes.length - CHECKSUM;
    if (checksum(bytes, end) != ByteBuffer.wrap(bytes, end, CHECKSUM).getInt()) {
      throw new UnreadableException("is damaged: its checksum does not match");
    }
  }

  private static Instant instant(long seconds, int nanos) throws UnreadableException {
    if (seconds < -LATEST_SECONDS
        || seconds > LATEST_SECONDS
        || nanos < 0
        || nanos >= 1_000_000_000) {
      throw new UnreadableException("has an impossible time: " + seconds + " s");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  private static int checksum(byte[] bytes, int length) {
    var crc = new CRC32();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static int[] bits(float[] numbers) {
    var bits = new int[numbers.length];
    Arrays.setAll(bits, i -> Float.floatToIntBits(numbers[i]));
    return bits;
  }

  private static float[] floats(int[] bits) {
    var numbers = new float[bits.length];
    for (int i = 0; i < bits.length; i++) {
      numbers[i] = Float.intBitsToFloat(bits[i]);
    }
    return numbers;
  }

  private static byte[] planes(int[] numbers) {
    var planes = new byte[Integer.BYTES * numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      for (int plane = 0; plane < Integer.BYTES; plane++) {
        planes[plane * numbers.length + i] = (byte) (numbers[i] >>> (24 - 8 * plane));
      }
    }
    return planes;
  }

  private static int[] numbers(InputStream in, int count) throws IOException, UnreadableException {
    // readNBytes allocates memory as bytes arrive, whatever number is claimed.
    byte[] planes = in.readNBytes(Integer.BYTES * count);
    if (planes.length < Integer.BYTES * count) {
      throw new UnreadableException("holds fewer numbers than it claims");
    }
    var numbers = new int[count];
    for (int i = 0; i < count; i++) {
      for (int plane = 0; plane < Integer.BYTES; plane++) {
        numbers[i] = (numbers[i] << 8) | Byte.toUnsignedInt(planes[plane * count + i]);
      }
    }
    return numbers;
  }
}
