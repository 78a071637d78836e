package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.controller.lab.Laboratory.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * One GET past the aggregator.
 *
 * @param port on loopback
 */
record DirectRequest(int port, String path) {
  /** The whole answer, as text. */
  String answer(List<String> headers) throws IOException {
    return answer(headers, TlsFiles.context());
  }

  /** The same with a client's certificate. */
  String answer(List<String> headers, KeyPairFiles certificate) throws IOException {
    return answer(
        headers,
        TlsFiles.context(
            Files.readString(certificate.cert()), Files.readString(certificate.key())));
  }

  private String answer(List<String> headers, SSLContext tls) throws IOException {
    try (var socket = tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      var request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
              + String.join("\r\n", headers)
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(UTF_8));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
