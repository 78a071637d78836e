package io.prescale.adapter.server;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The open connections of a listener, whose number is limited. Thread-safe. A new one displaces the
 * oldest that waits for its request, else the quietest of the address that has the most (longest
 * queue drop), so that neither half-sent requests nor a client with very many connections lock
 * others out.
 */
public final class OpenConnections {
  private record State(boolean waiting, String address) {}

  private final int atMost;

  /** Those whose state has not changed for the longest time come first. */
  private final SequencedMap<Channel, State> open = new LinkedHashMap<>();

  public OpenConnections(int atMost) {
    if (atMost < 1) {
      throw new IllegalArgumentException("a listener with %d connections".formatted(atMost));
    }
    this.atMost = atMost;
  }

  /** Takes in a connection; closes another one if there are too many. */
  public void admit(Channel channel) {
    var displaced = makeRoom(channel);
    var _ = channel.closeFuture().addListener(_ -> forget(channel));
    if (displaced.isPresent()) {
      var _ = displaced.get().close();
    }
  }

  private synchronized Optional<Channel> makeRoom(Channel channel) {
    var displaced =
        open.size() < atMost
            ? Optional.<Channel>empty()
            : oldestWaiting().or(() -> quietestOfTheMost(address(channel)));
    displaced.ifPresent(open::remove);
    put(channel, true);
    return displaced;
  }

  private Optional<Channel> oldestWaiting() {
    return open.entrySet().stream()
        .filter(connection -> connection.getValue().waiting())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Counts the new connection too: its own address gives one up if it has the most. */
  private Optional<Channel> quietestOfTheMost(String newcomer) {
    var counts = new HashMap<String, Integer>(Map.of(newcomer, 1));
    open.values().forEach(state -> counts.merge(state.address(), 1, Integer::sum));
    return open.entrySet().stream()
        .reduce((first, next) -> count(counts, next) > count(counts, first) ? next : first)
        .map(Map.Entry::getKey);
  }

  private static int count(Map<String, Integer> counts, Map.Entry<Channel, State> connection) {
    return counts.getOrDefault(connection.getValue().address(), 0);
  }

  private static String address(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getHostString()
        : String.valueOf(channel.remoteAddress());
  }

  /** Notes that a connection waits for the rest of a request, or that a request is there. */
  public synchronized void note(Channel channel, boolean waiting) {
    if (open.containsKey(channel)) {
      put(channel, waiting);
    }
  }

  private void put(Channel channel, boolean waiting) {
    open.putLast(channel, new State(waiting, address(channel)));
  }

  private synchronized void forget(Channel channel) {
    open.remove(channel);
  }
}
