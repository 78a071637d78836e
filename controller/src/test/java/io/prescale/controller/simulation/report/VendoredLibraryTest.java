package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of uPlot are those that its maintainer published; see docs/decisions. */
class VendoredLibraryTest {

  @ParameterizedTest
  @CsvSource({
    "uPlot.iife.min.js, 19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    "uPlot.min.css, df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04"
  })
  void isAsPublished(String file, String sha256) throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes(file));

    assertThat(HexFormat.of().formatHex(digest)).isEqualTo(sha256);
  }

  @Test
  void comesWithItsLicence() throws IOException {
    assertThat(new String(bytes("uPlot.LICENSE.txt"), StandardCharsets.UTF_8))
        .startsWith("The MIT License (MIT)")
        .contains("Leon Sorokin")
        .doesNotContain("--");
  }

  private static byte[] bytes(String file) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream("vendor/" + file)) {
      return Objects.requireNonNull(in, file).readAllBytes();
    }
  }
}
