package io.prescale.controller.demo;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prescale.adapter.server.OnListener;
import io.prescale.controller.web.PageController;
import java.util.Map;

/** The Prometheus that the demo's controller reads, and people may. */
@OnListener(PageController.LISTENER)
@Controller("/prometheus/api/v1")
@Requires(bean = Demo.class)
@ExecuteOn(TaskExecutors.BLOCKING)
final class DemoPrometheus {
  private final Demo demo;

  DemoPrometheus(Demo demo) {
    this.demo = demo;
  }

  @Get("/{path}")
  HttpResponse<String> get(String path, HttpRequest<?> request) {
    return answer(path, request.getParameters().asMap(String.class, String.class), request);
  }

  @Post(value = "/{path}", consumes = MediaType.APPLICATION_FORM_URLENCODED)
  HttpResponse<String> post(String path, @Body Map<String, String> form, HttpRequest<?> request) {
    return answer(path, form, request);
  }

  private HttpResponse<String> answer(
      String path, Map<String, String> parameters, HttpRequest<?> request) {
    var reply = demo.prometheus(path, parameters);
    if (reply.isEmpty()) {
      hangUp(request);
      return HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE);
    }
    return HttpResponse.<String>status(reply.get().status(), null).body(reply.get().json());
  }

  /** A stopped Prometheus answers nothing at all: the connection is closed before this returns. */
  private static void hangUp(HttpRequest<?> request) {
    if (request instanceof NettyHttpRequest<?> netty) {
      netty.getChannelHandlerContext().channel().close().syncUninterruptibly();
    }
  }
}
