package io.prescale.controller.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The way to a server on this machine, which can swallow what is sent without a word. */
public final class Network implements AutoCloseable {
  private final ServerSocket entrance;
  private final int to;
  private final List<Way> ways = new CopyOnWriteArrayList<>();
  private volatile boolean isCut;

  /** One connection; both directions stop at once. */
  private static final class Way {
    private final Socket client;
    private final Socket server;
    private volatile boolean isCut;

    Way(Socket client, Socket server, boolean isCut) {
      this.client = client;
      this.server = server;
      this.isCut = isCut;
    }

    void run() {
      Thread.ofVirtual().start(() -> forward(client, server));
      Thread.ofVirtual().start(() -> forward(server, client));
    }

    private void forward(Socket from, Socket into) {
      var buffer = new byte[8192];
      try {
        for (int n = from.getInputStream().read(buffer);
            n >= 0;
            n = from.getInputStream().read(buffer)) {
          if (!isCut) {
            into.getOutputStream().write(buffer, 0, n);
          }
        }
      } catch (IOException e) {
        end(e);
        return;
      }
      end(null);
    }

    private void end(@Nullable IOException ignored) {
      try (client;
          server) {
        isCut = true;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * A way that is open.
   *
   * @param to the server's port
   */
  public Network(int to) throws IOException {
    this.to = to;
    entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        var client = entrance.accept();
        var way = new Way(client, new Socket(InetAddress.getLoopbackAddress(), to), isCut);
        ways.add(way);
        way.run();
      } catch (IOException e) {
        isCut |= entrance.isClosed(); // the end of the test
      }
    }
  }

  public int port() {
    return entrance.getLocalPort();
  }

  /** From now on nothing passes; no connection ends. */
  public void cut() {
    isCut = true;
    cutWhatIsOpen();
  }

  /** Nothing passes any more on the connections that there are; new ones work. */
  public void cutWhatIsOpen() {
    ways.forEach(way -> way.isCut = true);
  }

  /** New connections work again. */
  public void mend() {
    isCut = false;
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    ways.forEach(way -> way.end(null));
  }
}
