package io.prescale.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** The log of a class with a main method, in a process of its own: tests log less than programs. */
public final class ProgramLog {
  private ProgramLog() {}

  /** Runs it to its end, with the logging of the program, and gives all that it has printed. */
  public static String of(Class<?> program) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    logging().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("it does not end");
    }
    return output;
  }

  private static Properties logging() throws IOException {
    var properties = new Properties();
    properties.load(
        new StringReader(Files.readString(Path.of("src/main/resources/simplelogger.properties"))));
    return properties;
  }
}
