package io.prescale.adapter.keda;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.prescale.adapter.keda.Reply.Reason;
import io.prescale.adapter.keda.WireReader.MalformedException;
import java.util.function.Function;

/** {@link ExternalScaler} as the gRPC service {@code externalscaler.ExternalScaler}. */
final class ExternalScalerService implements BindableService {
  static final String SERVICE = "externalscaler.ExternalScaler";

  private final ExternalScaler scaler;
  private final PushStreams streams;

  ExternalScalerService(ExternalScaler scaler, PushStreams streams) {
    this.scaler = scaler;
    this.streams = streams;
  }

  /** One of its methods, between bytes: a message that cannot be read is refused as the others. */
  static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            method("IsActive", MethodType.UNARY), unary(request -> ref(request).then(this::active)))
        .addMethod(
            method("GetMetricSpec", MethodType.UNARY),
            unary(request -> ref(request).then(this::specs)))
        .addMethod(method("GetMetrics", MethodType.UNARY), unary(this::value))
        .addMethod(method("StreamIsActive", MethodType.SERVER_STREAMING), streaming(this::active))
        .addMethod(method("StreamMetricSpec", MethodType.SERVER_STREAMING), streaming(this::specs))
        .build();
  }

  private Reply<byte[]> active(ScaledObjectRef ref) {
    return scaler.isActive(ref).then(it -> new Reply.Given<>(Messages.active(it)));
  }

  private Reply<byte[]> specs(ScaledObjectRef ref) {
    return scaler.metrics(ref).then(it -> new Reply.Given<>(Messages.specs(it)));
  }

  private Reply<byte[]> value(byte[] request) {
    try {
      var asked = Messages.metricRequest(request);
      return scaler
          .value(asked.ref(), asked.metric())
          .then(it -> new Reply.Given<>(Messages.value(asked.metric(), it)));
    } catch (MalformedException e) {
      return malformed(e);
    }
  }

  private ServerCallHandler<byte[], byte[]> streaming(
      Function<ScaledObjectRef, Reply<byte[]>> answer) {
    return ServerCalls.asyncServerStreamingCall(
        (request, out) -> {
          var stream = (ServerCallStreamObserver<byte[]>) out;
          switch (ref(request).then(ref -> streams.open(ref, answer, stream))) {
            case Reply.Given<Boolean> _ -> {}
            case Reply.Refused<Boolean> refused ->
                out.onError(status(refused).asRuntimeException());
          }
        });
  }

  private static Reply<ScaledObjectRef> ref(byte[] request) {
    try {
      return new Reply.Given<>(Messages.ref(request));
    } catch (MalformedException e) {
      return malformed(e);
    }
  }

  private static <T> Reply<T> malformed(MalformedException e) {
    return Reply.refused(
        Reason.INVALID, "The message is not one of externalscaler.proto: " + e.getMessage());
  }

  private static ServerCallHandler<byte[], byte[]> unary(Function<byte[], Reply<byte[]>> answer) {
    return ServerCalls.asyncUnaryCall(
        (request, out) -> {
          switch (answer.apply(request)) {
            case Reply.Given<byte[]>(var message) -> {
              out.onNext(message);
              out.onCompleted();
            }
            case Reply.Refused<byte[]> refused -> out.onError(status(refused).asRuntimeException());
          }
        });
  }

  static Status status(Reply.Refused<?> refused) {
    var code =
        switch (refused.reason()) {
          case INVALID -> Status.INVALID_ARGUMENT;
          case ABSENT -> Status.NOT_FOUND;
          case UNKNOWN -> Status.UNAVAILABLE;
          case TOO_MANY -> Status.RESOURCE_EXHAUSTED;
        };
    return code.withDescription(refused.message());
  }
}
