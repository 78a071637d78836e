package io.prescale.controller.demand.prometheus;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The IPv4 addresses to which an IPv6 address may lead because it contains them.
 *
 * <p>Source: RFC 4291 (2.5.5.1) for IPv4-compatible addresses, RFC 3056 for 6to4, RFC 6052 for
 * NAT64 and RFC 8215 for its prefix of local use, within which a network chooses a prefix of any of
 * the lengths of RFC 6052 (2.2). Which one is not known, so an address there is read in each way:
 * 10.127.0.1 after 48 bits is also 127.0.1.0 after 56.
 */
final class EmbeddedIpv4 {
  private static final int IPV6_BYTES = 16;

  private EmbeddedIpv4() {}

  static List<InetAddress> in(InetAddress address) {
    var bytes = address.getAddress();
    if (bytes.length != IPV6_BYTES) {
      return List.of();
    }
    if (begins(bytes, 0x20, 0x02)) {
      return List.of(at(bytes, 2, 3, 4, 5));
    }
    if (begins(bytes, 0, 0x64, 0xff, 0x9b, 0, 1)) {
      return Stream.of(
              at(bytes, 6, 7, 9, 10), // of a prefix of 48 bits
              at(bytes, 7, 9, 10, 11), // 56
              at(bytes, 9, 10, 11, 12), // 64
              at(bytes, 12, 13, 14, 15)) // 96
          .filter(it -> !it.isAnyLocalAddress()) // which are the zeros beside another one
          .toList();
    }
    return begins(bytes, 0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)
            || begins(bytes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        ? List.of(at(bytes, 12, 13, 14, 15))
        : List.of();
  }

  private static boolean begins(byte[] bytes, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if (Byte.toUnsignedInt(bytes[i]) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private static InetAddress at(byte[] bytes, int a, int b, int c, int d) {
    try {
      return InetAddress.getByAddress(new byte[] {bytes[a], bytes[b], bytes[c], bytes[d]});
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }
}
