package io.prescale.controller.demand.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedServersTest {
  @ParameterizedTest
  @CsvSource({
    "prometheus,        http://prometheus:9090,              true",
    "prometheus,        http://Prometheus./x,                true",
    "prometheus,        http://prometheus.monitoring,        false",
    "prometheus:9090,   http://prometheus:9090,              true",
    "prometheus:9090,   http://prometheus,                   false",
    "prometheus:80,     http://prometheus,                   true",
    "prometheus:443,    https://prometheus,                  true",
    "*.svc,             http://a.b.svc:9090,                 true",
    "*.svc,             http://svc,                          false",
    "*.svc,             http://evilsvc,                      false",
    "*.svc:9090,        http://a.svc:9091,                   false",
    "*,                 https://anywhere.example.org/x,      true",
    "[fd00::1]:9090,    http://[FD00::1]:9090,               true",
    "10.0.0.1,          http://10.0.0.10,                    false",
  })
  void listsHostsPortsAndSuffixes(String pattern, URI server, boolean listed) {
    assertThat(AllowedServers.of(List.of(pattern)).list(PrometheusServer.at(server)))
        .isEqualTo(listed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://prometheus", "a b", "*svc", "a.*", "host:99999", "[::1"})
  void refusesWhatNamesNoServers(String pattern) {
    assertThatThrownBy(() -> AllowedServers.of(List.of(pattern)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write a host, host:port, *.suffix");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.8.8",
        "localhost",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "10.96.0.1",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[ff02::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "[fd00:ec2::254]",
        "[fd00:ec2::23]",
        "[fd20:ce::254]",
        "168.63.129.16",
        "100.100.100.200",
        "[::ffff:100.100.100.200]",
        "[64:ff9b::6464:64c8]",
        "192.0.0.192",
        "[fd00:42::42]",
        "[64:ff9b::a60:1]",
        "[2002:7f00:1::]",
        "[2002:a9fe:a9fe::1]",
        "[2002:a60:1:5::9]",
        "[64:ff9b:1:a9fe:a9:fe00::]",
        "[64:ff9b:1:7f:0:1::]",
        "[64:ff9b:1:5:a9:fea9:fe00:0]",
        "[64:ff9b:1::7f00:1]",
        "[64:ff9b:1:2:3:4:6464:64c8]",
        "[64:ff9b:1::a60:1]",
      })
  void connectsToNoAddressOfTheInsideUnlessItIsWritten(String host) throws Exception {
    var url = URI.create("http://" + host + ":9090");
    var all = AllowedServers.of(List.of("*")).andApiServer("https://10.96.0.1:443/");

    var other = URI.create("http://" + host + ":9091");
    assertThat(all.list(PrometheusServer.at(url))).isTrue();
    assertThat(all.allowAddressesOf(url)).isFalse();
    assertThat(all.and(PrometheusServer.at(url)).allowAddressesOf(url)).isTrue();
    assertThat(all.and(PrometheusServer.at(other)).allowAddressesOf(url)).isFalse();
  }

  @Test
  void connectsToOtherAddresses() throws Exception {
    var all = AllowedServers.of(List.of("*")).andApiServer("no-such-host.invalid");

    assertThat(all.allowAddressesOf(URI.create("http://10.96.0.1"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://100.100.100.201"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://[fd00:ec2::253]"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://[2001:db8::1]:9090"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://[2002:a00:1::1]:9090"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://[64:ff9b::a00:1]:9090"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://[64:ff9b:1:a01:2:300::]:9090"))).isTrue();
    assertThat(all.allowAddressesOf(URI.create("http://[64:ff9b:1::a00:1]:9090"))).isTrue();
  }
}
