package io.prescale.controller.demand.prometheus;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which servers users may name, by an administrator's list, so that Prescale's place in the network
 * is not lent to everyone who may write a PredictiveHPA.
 *
 * <p>Where a listed name leads is up to those who maintain it. Loopback, link-local, unspecified
 * and multicast addresses and those of the API server and of clouds' metadata services, and what
 * leads to one of them through a translator, are therefore refused before every request, unless the
 * list has the address itself. The HTTP client resolves the name once more; within the 30 s for
 * which the JVM keeps an answer ({@code networkaddress.cache.ttl}) it gets the one that was
 * checked. A name whose addresses change just as that answer expires is not caught, nor is one that
 * an HTTP proxy resolves.
 *
 * @param patterns what is listed
 * @param apiServers hosts whose addresses are the API server's
 */
public record AllowedServers(List<HostPattern> patterns, List<String> apiServers) {
  /** Where clouds give out credentials beside addresses of the link, which most use. */
  private static final Set<InetAddress> METADATA =
      Stream.of(
              "fd00:ec2::254", // AWS
              "fd00:ec2::23", // AWS, of pods
              "fd20:ce::254", // Google Cloud
              "168.63.129.16", // Azure
              "100.100.100.200", // Alibaba Cloud
              "192.0.0.192", // Oracle Cloud
              "fd00:42::42") // Scaleway
          .map(InetAddress::ofLiteral)
          .collect(Collectors.toUnmodifiableSet());

  public AllowedServers {
    patterns = List.copyOf(patterns);
    apiServers = List.copyOf(apiServers);
  }

  /** What an administrator has written; see {@link HostPattern#of}. */
  public static AllowedServers of(List<String> patterns) {
    return new AllowedServers(patterns.stream().map(HostPattern::of).toList(), List.of());
  }

  /** The same, and the host and port of one more server. */
  public AllowedServers and(PrometheusServer server) {
    var more = Stream.concat(patterns.stream(), Stream.of(HostPattern.of(server.url())));
    return new AllowedServers(more.distinct().toList(), apiServers);
  }

  /** The same, and one more host or URL whose addresses are the API server's. */
  public AllowedServers andApiServer(String address) {
    var host = address.contains("://") ? URI.create(address).getHost() : address;
    var more = Stream.concat(apiServers.stream(), Stream.of(host));
    return new AllowedServers(patterns, more.distinct().toList());
  }

  /** Whether an administrator has listed the server. */
  public boolean list(PrometheusServer server) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(server.url()));
  }

  /** Whether all addresses of a listed server may be connected to. Resolves its name. */
  boolean allowAddressesOf(URI server) throws UnknownHostException {
    if (patterns.stream().anyMatch(it -> it.isAddress() && it.matches(server))) {
      return true;
    }
    var ofApiServers = apiServers.stream().flatMap(AllowedServers::addresses).toList();
    return Arrays.stream(InetAddress.getAllByName(HostPattern.host(server)))
        .flatMap(it -> Stream.concat(Stream.of(it), EmbeddedIpv4.in(it).stream()))
        .noneMatch(address -> isNever(address) || ofApiServers.contains(address));
  }

  private static Stream<InetAddress> addresses(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host));
    } catch (UnknownHostException _) {
      return Stream.empty();
    }
  }

  private static boolean isNever(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || METADATA.contains(address);
  }
}
