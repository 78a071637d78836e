package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.TokenServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusOptionsTest {
  private static final Instant START = Instant.parse("2026-01-16T00:00:00Z");

  /** bcrypt of the password below. */
  private static final String HASH = "$2b$04$abcdefghijklmnopqrstuuaUNpTaGyHErb7YklXKRt/SEtSLxPST6";

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void readsADayFromARealServer() throws Exception {
    var password = Files.writeString(folder.resolve("password"), "s3cret-pass\n");
    var history =
        IntStream.range(0, 24 * 60)
            .mapToObj(i -> "load %d %d".formatted(100 + i % 60, START.getEpochSecond() + 60L * i));
    var lines = Stream.concat(Stream.of("# TYPE load gauge"), history);
    var webConfig = "basic_auth_users: {alice: " + HASH + "}\n";
    try (var prometheus = RealPrometheus.start(folder, lines, webConfig)) {
      var url = prometheus.url().toString();
      String[] ask = {"--prometheus", url, "--query", "load", "--since", "1d", "--until", "10m"};

      assertThat(run("replay", ask, "--user", "alice", "--password-file", password.toString()))
          .isZero();
      assertThat(program.errLines())
          .contains(
              "load: 1,430 samples from 2026-01-16T00:01:00Z to 2026-01-16T23:51:00Z, on a 1 min"
                  + " grid.");
      assertThat(program.out()).contains("reactive HPA", "one replica carries 10 after");

      program.with("PROMETHEUS_PASSWORD", "wrong");
      assertThat(run("replay", ask, "--user", "alice", "--password-env", "PROMETHEUS_PASSWORD"))
          .isEqualTo(4);
      assertThat(program.errLines().getLast())
          .isEqualTo(url + " denies access with these credentials (401): \"Unauthorized\".");
      ask[3] = "load(";
      assertThat(run("replay", ask, "--user", "alice", "--password-file", password.toString()))
          .isEqualTo(3);
      assertThat(program.errLines().getLast()).contains("rejects the query: 1:6: parse");
      assertThat(program.err()).doesNotContain("s3cret", "wrong");
    }
  }

  @Test
  void asksATokenServerForTheToken() throws Exception {
    var secret = Files.writeString(folder.resolve("secret"), "s3cret-client\n");
    try (var tokens = TokenServer.start(folder);
        var prometheus = new ScriptedServer(ScriptedServer.status(403, "not yours"))) {
      String[] ask = {"--prometheus", prometheus.url().toString(), "--query", "load"};

      assertThat(
              run(
                  "replay",
                  ask,
                  "--oauth2-token-url=" + tokens.url(),
                  "--oauth2-client-id=reader",
                  "--oauth2-client-secret-file=" + secret,
                  "--oauth2-scope=metrics.read",
                  "--oauth2-ca-file=" + tokens.ca()))
          .isEqualTo(4);

      assertThat(program.errLines().getLast())
          .contains("denies access with these credentials (403)");
      assertThat(prometheus.requests().getFirst()).contains("Authorization=[Bearer token-1]");
      assertThat(tokens.requests())
          .singleElement()
          .satisfies(
              it -> assertThat(it).endsWith("grant_type=client_credentials&scope=metrics.read"));
      assertThat(program.err()).doesNotContain("s3cret-client");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --prometheus http://x                                        | --prometheus needs --query: the PromQL expression whose value is the demand, such as --query 'sum(rate(http_requests_total{app="chat"}[1m]))'.
          --query up                                                   | --query has no effect without --prometheus; add it, or remove --query.
          --prometheus x --query up                                    | --prometheus: The URL x is not the URL of a server; write one such as http://localhost:9090.
          --prometheus http://a:b@x --query up                         | --prometheus: The URL http://…@x contains a user or password, where others can see them; give them separately.
          --prometheus http:// --query up                              | Invalid value for option '--prometheus': not a URL; write one such as http://localhost:9090
          --prometheus http://x --query up --since 1h --until 2h       | --since begins at 2026-01-16T23:01:00Z, after the end by --until, 2026-01-16T22:00:00Z; a length such as 14d counts back from now, so write the time at which the history begins.
          --prometheus http://x --query up --since 1h --query-step 0s  | --query-step must be longer than 0s.
          --prometheus http://x --query up --user alice                | Basic authentication needs --user and one of --password-file and --password-env.
          --prometheus http://x --query up --token-env TOKEN --user a --password-env TOKEN | A bearer token and --user cannot be combined; choose one.
          --prometheus http://x --query up --oauth2-client-id a        | --oauth2-client-id has no effect without --oauth2-token-url; add it, or remove --oauth2-client-id.
          --prometheus http://x --query up --oauth2-token-url https://y/t | --oauth2-token-url needs --oauth2-client-id and --oauth2-client-secret-file.
          --prometheus http://x --query up --oauth2-token-url https://y/t --oauth2-client-id a --oauth2-client-secret-file FILE --token-env TOKEN | --oauth2-token-url and other credentials cannot be combined; choose one.
          --prometheus http://x --query up --oauth2-token-url http://y/t --oauth2-client-id a --oauth2-client-secret-file FILE | The token URL http://y/t is not https; a client's secret is sent there.
          --prometheus http://x --query up --token-env NO_TOKEN        | The environment variable NO_TOKEN for the bearer token is not set.
          --prometheus http://x --query up --header X-Name             | A --header needs a colon, as in --header 'X-Name: value'.
          --prometheus http://x --query up --header Host:y             | The header Host is set by the client itself; remove it.
          --prometheus http://x --query up --cert-file a.pem           | --cert-file and --key-file belong together; give both.
          --prometheus http://x --query up --insecure --ca-file a.pem  | A CA certificate has no effect when any server is trusted; remove one of the two options.
          --prometheus http://x --query up --max-points 0              | --max-points is 0; it must be at least 1.
          --prometheus http://x --query up --timeout 0s                | --timeout must be longer than 0s.
          """)
  void refusesOptionsThatMakeNoSense(String options, String message) throws Exception {
    program.with("TOKEN", "t0ken");
    var file = Files.writeString(folder.resolve("secret"), "s3cret").toString();
    var args =
        Stream.concat(Stream.of("forecast"), Stream.of(options.replace("FILE", file).split(" ")));

    assertThat(program.run(args.toArray(String[]::new))).isEqualTo(2);
    assertThat(program.errLines()).containsExactly(message, "Try 'prescale forecast --help'.");
  }

  private int run(String command, String[] ask, String... more) {
    var usual = Stream.of("--capacity", "10", "--policies", "reactive");
    return program.run(
        Stream.of(Stream.of(command), Stream.of(ask), Stream.of(more), usual)
            .flatMap(args -> args)
            .toArray(String[]::new));
  }
}
