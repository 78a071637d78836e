package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("TOKEN", " abc\n", "EMPTY", "");

  @TempDir private Path folder;

  @Test
  void comesFromAFileOrAVariableWithoutItsLastNewline() throws Exception {
    var file = Files.writeString(folder.resolve("token"), "abc\n");

    assertThat(new Secret("token", file, null).read(ENVIRONMENT)).contains("abc");
    assertThat(new Secret("token", null, "TOKEN").read(ENVIRONMENT)).contains("abc");
    assertThat(new Secret("token", null, null).read(ENVIRONMENT)).isEmpty();
  }

  @Test
  void saysWhereNoneIs() {
    var absent = folder.resolve("absent");

    assertThatThrownBy(() -> new Secret("password", absent, null).read(ENVIRONMENT))
        .isInstanceOf(UnreachableException.class)
        .hasMessage(
            absent + ", the file with the password, cannot be read: there is no such file.");
    assertThatThrownBy(() -> new Secret("password", null, "EMPTY").read(ENVIRONMENT))
        .hasMessage("The environment variable EMPTY for the password is not set.");
    assertThatThrownBy(() -> new Secret("password", absent, "TOKEN"))
        .hasMessage(
            "The password is given both by a file and by an environment variable; choose one.");
  }

  @Test
  void refusesFilesThatHoldSomethingElse() throws Exception {
    var large = Files.writeString(folder.resolve("large"), "x".repeat(70_000));
    var binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});

    assertThatThrownBy(() -> new Secret("token", large, null).read(ENVIRONMENT))
        .hasMessage(large + ", the file with the token, cannot be read: it is too large.");
    assertThatThrownBy(() -> new Secret("token", binary, null).read(ENVIRONMENT))
        .hasMessage(binary + ", the file with the token, cannot be read: it is not text in UTF-8.");
  }
}
