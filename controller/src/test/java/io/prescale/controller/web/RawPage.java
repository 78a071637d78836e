package io.prescale.controller.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Sends requests as they are written, also such as no library would send. */
record RawPage(int port) {
  /** What came back; names of headers are in lower case. */
  record Reply(int status, Map<String, String> headers, String body) {}

  Reply send(String method, String target, Map<String, String> headers, String body) {
    var request = new StringBuilder("%s %s HTTP/1.1\r\n".formatted(method, target));
    headers.forEach(
        (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
    request.append("connection: close\r\ncontent-length: %d\r\n\r\n".formatted(body.length()));
    request.append(body);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.toString().getBytes(UTF_8));
      return read(new String(socket.getInputStream().readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Reply read(String answer) {
    int end = answer.indexOf("\r\n\r\n");
    var lines = answer.substring(0, end).split("\r\n", -1);
    var headers = new HashMap<String, String>();
    for (int i = 1; i < lines.length; i++) {
      var parts = lines[i].split(": ", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
    return new Reply(
        Integer.parseInt(lines[0].split(" ", -1)[1]), headers, answer.substring(end + 4));
  }
}
