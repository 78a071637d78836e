package io.prescale.adapter.server;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpRequest;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteMatch;
import io.micronaut.web.router.filter.FilteredRouter;
import io.micronaut.web.router.filter.RouteMatchFilter;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Hides a route from every listener but those of its {@link OnListener}. Micronaut's own {@code
 * Controller.port} cannot: it needs the port before one is bound.
 */
@Singleton
final class ListenerRoutes implements RouteMatchFilter, BeanCreatedEventListener<Router> {
  /** Where probes ask. */
  private static final String[] HEALTH = {"metrics", "extender"};

  private final BeanProvider<Listeners> listeners;

  ListenerRoutes(BeanProvider<Listeners> listeners) {
    this.listeners = listeners;
  }

  @Override
  public Router onCreated(BeanCreatedEvent<Router> event) {
    return new FilteredRouter(event.getBean(), this);
  }

  /** A route without an annotation, such as that of the health endpoint, is Micronaut's own. */
  @Override
  public <T, R> Predicate<UriRouteMatch<T, R>> filter(HttpRequest<?> request) {
    return match -> {
      var names = match.getRouteInfo().getTargetMethod().stringValues(OnListener.class);
      return Arrays.stream(names.length == 0 ? HEALTH : names)
          .anyMatch(name -> listeners.get().isOn(request, name));
    };
  }
}
