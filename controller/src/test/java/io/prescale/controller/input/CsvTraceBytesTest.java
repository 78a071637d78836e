package io.prescale.controller.input;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.prescale.controller.input.InputException.Fault;
import io.prescale.forecasting.Sample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands between the bytes of a file and the text of a trace. */
class CsvTraceBytesTest {
  @TempDir private Path folder;

  @Test
  void acceptsGzipWithAByteOrderMarkUnderAnyName() throws Exception {
    var file = folder.resolve("trace.csv");
    Files.write(file, gzip("\uFEFFtimestamp,value\n0,1\n"));

    assertThat(new CsvTrace(CsvFile.of(file), UTC).read().samples())
        .containsExactly(new Sample(Instant.EPOCH, 1));
  }

  @Test
  void refusesBinaryFilesWithoutEchoingThem() {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      var garbage = new byte[1 + random.nextInt(5000)];
      random.nextBytes(garbage);
      var refusal = catchThrowableOfType(InputException.class, () -> trace(garbage).read());

      assertThat(refusal.fault()).isEqualTo(Fault.UNUSABLE);
      assertThat(refusal.getMessage()).hasSizeLessThan(300).doesNotContainPattern("[\\p{Cntrl}]");
    }
  }

  @Test
  void refusesTextOfTwoBytesACharacter() {
    assertThatRefused(
        "\uFEFFtimestamp,value\n0,1\n".getBytes(UTF_16LE),
        "trace.csv: is UTF-16 text; save it as CSV in UTF-8.");
  }

  @Test
  void refusesDamagedGzip() throws IOException {
    var damaged = gzip("timestamp,value\n" + "0,1\n".repeat(10_000));
    Arrays.fill(damaged, 20, 40, (byte) 0x55);

    assertThatThrownBy(() -> trace(damaged).read())
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("trace.csv: is damaged gzip (");
  }

  @Test
  void saysWhenGzipEndsTooEarly() throws IOException {
    var whole = gzip("timestamp,value\n" + "0,1\n".repeat(10_000));

    assertThatRefused(Arrays.copyOf(whole, whole.length / 2), "trace.csv: is truncated gzip.");
  }

  private static void assertThatRefused(byte[] bytes, String message) {
    var refusal = catchThrowableOfType(InputException.class, () -> trace(bytes).read());

    assertThat(refusal).hasMessage(message);
    assertThat(refusal.fault()).isEqualTo(Fault.UNUSABLE);
  }

  private static CsvTrace trace(byte[] bytes) {
    return new CsvTrace(new CsvFile("trace.csv", () -> new ByteArrayInputStream(bytes)), UTC);
  }

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
