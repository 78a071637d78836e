package io.prescale.controller.scheduler.extender;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/** One connection over HTTP that is kept, with next to no cost of its own. Not thread-safe. */
record PlainConnection(Socket socket, InputStream in) implements AutoCloseable {
  private static final String LENGTH = "content-length:";

  static PlainConnection to(int port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return new PlainConnection(socket, new BufferedInputStream(socket.getInputStream(), 1 << 16));
  }

  /**
   * Posts JSON and gives the body of the answer.
   *
   * @throws IOException for another status than 200 too
   */
  byte[] post(String path, byte[] body) throws IOException {
    var request = new ByteArrayOutputStream(body.length + 256);
    var head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, body.length);
    request.writeBytes(head.getBytes(US_ASCII));
    request.writeBytes(body);
    request.writeTo(socket.getOutputStream());
    var status = line();
    if (!status.startsWith("HTTP/1.1 200 ")) {
      throw new IOException(status);
    }
    int length = 0;
    for (var header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    return in.readNBytes(length);
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the answer ends in its headers");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
