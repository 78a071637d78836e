package io.prescale.adapter.keda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.prescale.adapter.TestAuthority;
import io.prescale.adapter.api.Protobuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls as KEDA does: one connection with TLS and, if it has one, a client certificate. */
final class KedaClient implements AutoCloseable {
  private final ManagedChannel channel;

  KedaClient(int port, X509Certificate authority, Optional<TestAuthority.Issued> certificate) {
    try {
      var builder = SslContextBuilder.forClient().trustManager(authority);
      certificate.ifPresent(it -> builder.keyManager(it.key(), it.certificate()));
      channel =
          NettyChannelBuilder.forAddress("127.0.0.1", port)
              .sslContext(GrpcSslContexts.configure(builder, SslProvider.JDK).build())
              .build();
    } catch (SSLException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] ref(String namespace, Map<String, String> metadata) {
    var ref = new Protobuf().text(1, "so").text(2, namespace);
    metadata.forEach((key, value) -> ref.message(3, new Protobuf().text(1, key).text(2, value)));
    return ref.toByteArray();
  }

  static byte[] refOf(String predictiveHpa) {
    return ref("models", Map.of("predictiveHPA", predictiveHpa));
  }

  byte[] specs(byte[] ref) {
    return call("GetMetricSpec", ref);
  }

  boolean isActive(byte[] ref) {
    return isTrue(call("IsActive", ref));
  }

  Iterator<byte[]> streamIsActive(byte[] ref) {
    return stream("StreamIsActive", ref);
  }

  Iterator<byte[]> streamMetricSpec(byte[] ref) {
    return stream("StreamMetricSpec", ref);
  }

  private Iterator<byte[]> stream(String name, byte[] ref) {
    var method = ExternalScalerService.method(name, MethodDescriptor.MethodType.SERVER_STREAMING);
    return ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, ref);
  }

  static boolean isTrue(byte[] isActiveResponse) {
    return isActiveResponse.length == 2 && isActiveResponse[0] == 8 && isActiveResponse[1] == 1;
  }

  static void refused(ThrowingCallable call, Status.Code code, String message) {
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(call)
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
  }

  /** The value, as the number with a fraction and the whole one. */
  Amount value(byte[] ref, String metric) {
    return Amount.of(call("GetMetrics", request(ref, metric)));
  }

  static byte[] request(byte[] ref, String metric) {
    var all = ByteBuffer.allocate(ref.length + metric.length() * 4 + 40);
    all.put((byte) 0x0a);
    int length = ref.length;
    for (; length > 127; length >>>= 7) {
      all.put((byte) (length | 0x80));
    }
    all.put((byte) length).put(ref).put(new Protobuf().text(2, metric).toByteArray());
    return Arrays.copyOf(all.array(), all.position());
  }

  byte[] call(String name, byte[] request) {
    var method = ExternalScalerService.method(name, MethodDescriptor.MethodType.UNARY);
    return ClientCalls.blockingUnaryCall(
        channel, method, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), request);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  /** The first MetricSpec or MetricValue of an answer. */
  record Amount(String metric, long whole, double fraction) {
    static Amount of(byte[] answer) {
      var in = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
      in.get(); // 1, delimited
      in.get();
      in.get(); // 1, delimited
      var name = new byte[in.get()];
      in.get(name);
      in.get(); // 2, varint
      long whole = 0;
      byte next = in.get();
      for (int shift = 0; ; shift += 7) {
        whole |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          break;
        }
        next = in.get();
      }
      in.get(); // 3, fixed 64
      return new Amount(new String(name, StandardCharsets.UTF_8), whole, in.getDouble());
    }
  }
}
