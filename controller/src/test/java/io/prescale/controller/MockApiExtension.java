package io.prescale.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.internal.MockDispatcher;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts and stops the server of {@link MockApi}. */
final class MockApiExtension implements BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(MockApiExtension.class);

  private record Running(KubernetesMockServer server, KubernetesClient client) {
    static Running of(MockApi options) {
      var responses = new HashMap<ServerRequest, Queue<ServerResponse>>();
      Dispatcher dispatcher =
          options.crud() ? new KubernetesMixedDispatcher(responses) : new MockDispatcher(responses);
      var server = server(responses, dispatcher, options.https());
      server.init();
      return new Running(server, server.createClient());
    }

    @SuppressWarnings("deprecation") // the mapper, as in EnableKubernetesMockClient
    private static KubernetesMockServer server(
        Map<ServerRequest, Queue<ServerResponse>> responses, Dispatcher dispatcher, boolean https) {
      var context = new Context(Serialization.jsonMapper());
      return new KubernetesMockServer(context, new MockWebServer(), responses, dispatcher, https);
    }

    void stop() {
      client.close();
      try {
        server.destroy();
      } catch (RejectedExecutionException e) {
        // Its event loop ended before the server could wait for that.
      }
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IllegalAccessException {
    var instances = context.getRequiredTestInstances().getAllInstances();
    var options =
        instances.stream()
            .flatMap(it -> AnnotationSupport.findAnnotation(it.getClass(), MockApi.class).stream())
            .findFirst()
            .orElseThrow();
    var running = Running.of(options);
    context.getStore(NAMESPACE).put(Running.class, running);
    for (var instance : instances) {
      for (Class<?> type = instance.getClass(); type != Object.class; type = type.getSuperclass()) {
        setFields(type, instance, running);
      }
    }
  }

  private static void setFields(Class<?> type, Object test, Running running)
      throws IllegalAccessException {
    for (var field : type.getDeclaredFields()) {
      if (field.getType() == KubernetesMockServer.class) {
        field.setAccessible(true);
        field.set(test, running.server());
      } else if (KubernetesClient.class.isAssignableFrom(field.getType())
          && field.getType().isInstance(running.client())) {
        field.setAccessible(true);
        field.set(test, running.client());
      }
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    context.getStore(NAMESPACE).remove(Running.class, Running.class).stop();
  }
}
