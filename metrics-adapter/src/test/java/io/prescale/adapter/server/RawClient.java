package io.prescale.adapter.server;

import io.prescale.adapter.TestAuthority;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Sends requests byte by byte as they stand, over verified TLS. */
final class RawClient {
  /**
   * What came back.
   *
   * @param headers by lower-case name
   */
  record Reply(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  private final int port;
  private final SSLContext context;

  RawClient(int port, X509Certificate authority, Optional<TestAuthority.Issued> own) {
    this.port = port;
    try {
      context = SSLContext.getInstance("TLS");
      context.init(
          own.isPresent() ? keys(own.get()) : null, trust(authority).getTrustManagers(), null);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whom it trusts and which certificate it shows, for another client. */
  SSLContext context() {
    return context;
  }

  private static KeyManager[] keys(TestAuthority.Issued own)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("own", own.key(), new char[0], new Certificate[] {own.certificate()});
    var factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static TrustManagerFactory trust(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", authority);
    var factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return factory;
  }

  /** A connection whose handshake is done. */
  SSLSocket connect(String... protocols) throws IOException {
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** A connection whose handshake has agreed on a protocol, {@code h2} or {@code http/1.1}. */
  SSLSocket connectBy(String protocol) throws IOException {
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /**
   * The type of the record that answers a hello whose newest version is {@code 0x0303} for TLS 1.2
   * or {@code 0x0302} for TLS 1.1: 22 goes on with the handshake, 21 is an alert. Sent as bytes,
   * because the JDK's own client refuses old versions before it asks the server.
   */
  int answerToHello(int version) throws IOException {
    var random = "00".repeat(32);
    var suites = "0008" + "c02bc02fc009c013"; // ECDHE with AES-128, GCM for 1.2 and CBC for 1.1
    var curve = "000a0004" + "00020017"; // secp256r1
    var signatures = "000d0006" + "000404010403"; // SHA-256 with RSA and ECDSA
    var body = "%04x%s00%s0100".formatted(version, random, suites) + "0012" + curve + signatures;
    var hello = HexFormat.of().parseHex("160301" + "0047" + "01000043" + body);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(hello);
      socket.getOutputStream().flush();
      return socket.getInputStream().read();
    }
  }

  /** One request on a connection of its own; {@code headers} are whole lines. */
  Reply send(String method, String target, String... headers) throws IOException {
    return sendBody(method, target, "", headers);
  }

  Reply sendBody(String method, String target, String body, String... headers) throws IOException {
    try (var socket = connect()) {
      var request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: x\r\n");
      for (var header : headers) {
        request.append(header).append("\r\n");
      }
      if (!body.isEmpty()) {
        request.append("Content-Length: ").append(body.length()).append("\r\n");
      }
      request.append("Connection: close\r\n\r\n").append(body);
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      return reply(socket.getInputStream());
    }
  }

  private static Reply reply(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    in.transferTo(bytes);
    var text = bytes.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no answer: '" + text + "'");
    }
    var lines = text.substring(0, end).split("\r\n", -1);
    var headers = new TreeMap<String, String>();
    for (int i = 1; i < lines.length; i++) {
      var parts = lines[i].split(": ?", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
    var body = text.substring(end + 4);
    return new Reply(
        Integer.parseInt(lines[0].split(" ", -1)[1]),
        headers,
        headers.containsKey("transfer-encoding") ? joined(body) : body);
  }

  /** The chunks of a body, whose last one is empty. */
  private static String joined(String chunks) throws IOException {
    var body = new StringBuilder();
    int at = 0;
    while (true) {
      int line = chunks.indexOf("\r\n", at);
      if (line < 0) {
        throw new IOException("the answer breaks off");
      }
      int length = Integer.parseInt(chunks, at, line, 16);
      if (length == 0) {
        return body.toString();
      }
      at = line + 2 + length + 2;
      if (at > chunks.length()) {
        throw new IOException("the answer breaks off within a chunk");
      }
      body.append(chunks, line + 2, at - 2);
    }
  }
}
