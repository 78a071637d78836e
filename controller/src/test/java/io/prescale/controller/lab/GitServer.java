package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A Git repository with manifests, over HTTP on loopback by git's own program for servers. */
final class GitServer implements AutoCloseable {
  static final String BRANCH = "main";

  private static final String NAME = "manifests";

  private final Path folder;
  private final HttpServer http;

  private GitServer(Path folder, HttpServer http) {
    this.folder = folder;
    this.http = http;
  }

  /** An empty one in a folder. */
  static GitServer start(Path folder) throws IOException, InterruptedException {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server = new GitServer(folder, HttpServer.create(loopback, 0));
    Files.createDirectories(folder.resolve(NAME));
    server.git("init", "--quiet", "--initial-branch=" + BRANCH);
    server.http.createContext("/", server::answer);
    server.http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.http.start();
    return server;
  }

  URI url() {
    return URI.create("http://127.0.0.1:%d/%s".formatted(http.getAddress().getPort(), NAME));
  }

  /**
   * Writes a file and commits it.
   *
   * @param file such as {@code chat/all.yaml}
   */
  void commit(String file, String content) throws IOException, InterruptedException {
    var path = folder.resolve(NAME).resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
    git("add", file);
    git("-c", "user.name=lab", "-c", "user.email=lab@localhost", "commit", "-qm", file);
  }

  /** That git and its program for servers are here; a test without them is skipped and says so. */
  static void assumeGit() throws IOException, InterruptedException {
    boolean is;
    try {
      var versions = process(List.of("git", "--exec-path")).start();
      var path = Path.of(new String(versions.getInputStream().readAllBytes(), UTF_8).strip());
      is = versions.waitFor() == 0 && Files.isExecutable(path.resolve("git-http-backend"));
    } catch (IOException _) {
      is = false;
    }
    assumeTrue(is, "git with git-http-backend is needed for this test, and is not installed");
  }

  /** Git with neither the settings of the machine nor those of a git that runs this test. */
  static ProcessBuilder process(List<String> command) {
    var process = new ProcessBuilder(command);
    var variables = process.environment();
    variables.keySet().removeIf(name -> name.startsWith("GIT_"));
    variables.put("GIT_CONFIG_GLOBAL", "/dev/null");
    variables.put("GIT_CONFIG_NOSYSTEM", "1");
    return process;
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git", "-C", folder.resolve(NAME).toString()));
    command.addAll(List.of(arguments));
    int code = process(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IllegalStateException(command + " ended with exit code " + code);
    }
  }

  /** By the rules of CGI. */
  private void answer(HttpExchange exchange) throws IOException {
    var git = process(List.of("git", "http-backend"));
    git.redirectError(ProcessBuilder.Redirect.INHERIT);
    var variables = git.environment();
    variables.put("GIT_PROJECT_ROOT", folder.toString());
    variables.put("GIT_HTTP_EXPORT_ALL", "");
    variables.put("REQUEST_METHOD", exchange.getRequestMethod());
    variables.put("PATH_INFO", exchange.getRequestURI().getPath());
    variables.put("QUERY_STRING", or(exchange.getRequestURI().getRawQuery()));
    variables.put("CONTENT_TYPE", header(exchange, "Content-Type"));
    variables.put("HTTP_CONTENT_ENCODING", header(exchange, "Content-Encoding"));
    variables.put("GIT_PROTOCOL", header(exchange, "Git-Protocol"));
    var process = git.start();
    try (var in = process.getOutputStream()) {
      exchange.getRequestBody().transferTo(in);
    }
    var output = process.getInputStream().readAllBytes();
    int end = new String(output, ISO_8859_1).indexOf("\r\n\r\n") + 4;
    int status = 200;
    for (var line : new String(output, 0, end, ISO_8859_1).strip().lines().toList()) {
      var field = line.split(": ", 2);
      if (field[0].equals("Status")) {
        status = Integer.parseInt(field[1].substring(0, 3));
      } else {
        exchange.getResponseHeaders().set(field[0], field[1]);
      }
    }
    exchange.sendResponseHeaders(status, output.length == end ? -1 : output.length - end);
    exchange.getResponseBody().write(output, end, output.length - end);
    exchange.close();
  }

  private static String header(HttpExchange exchange, String name) {
    return or(exchange.getRequestHeaders().getFirst(name));
  }

  private static String or(@Nullable String value) {
    return Optional.ofNullable(value).orElse("");
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
