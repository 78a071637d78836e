package io.prescale.adapter.api;

import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.SelectorException;
import io.prescale.adapter.identity.Access;
import io.prescale.adapter.identity.Authentication;
import io.prescale.adapter.identity.Authenticator;
import io.prescale.adapter.identity.Authorizer;
import io.prescale.adapter.identity.ReviewException;
import io.prescale.adapter.identity.User;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The API server as a function from requests to responses: authenticates, authorizes, answers.
 * Thread-safe; it blocks only while the cluster reviews a token or an access whose last review has
 * expired, and while another adapter answers.
 */
public final class ExternalMetricsApi {
  private final MetricReadModel metrics;
  private final Optional<Upstream> upstream;
  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final Health health;
  private final FixedPages pages;
  private final InstantSource clock;
  private final Supplier<String> auditIds;

  /**
   * Creates an API that serves {@code metrics}.
   *
   * @param upstream answers for metrics that are not among them
   * @param version version of the program
   * @param auditIds generates unique identifiers for responses
   */
  public ExternalMetricsApi(
      MetricReadModel metrics,
      Optional<Upstream> upstream,
      Authenticator authenticator,
      Authorizer authorizer,
      Health health,
      String version,
      InstantSource clock,
      Supplier<String> auditIds) {
    this.metrics = metrics;
    this.upstream = upstream;
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.health = health;
    this.pages = new FixedPages(version);
    this.clock = clock;
    this.auditIds = auditIds;
  }

  /**
   * Handles one request; every refusal is a {@code Status}.
   *
   * @param inFlight in which it takes a place once its caller is known; probes take none
   */
  public ApiResponse handle(ApiRequest request, InFlight inFlight) {
    var answers = new ResponseWriter(request);
    ApiResponse response;
    try {
      response = answer(request, RequestTarget.of(request), answers, inFlight);
    } catch (FailureException e) {
      response = answers.failure(e.failure());
    }
    return finished(response);
  }

  /**
   * The {@code Status} as JSON for a request that HTTP itself refuses, such as one that is too
   * large.
   */
  public static String unreadable(int status, String message) {
    var failure =
        status < 500
            ? new Failure(status, "BadRequest", message, "", "", OptionalInt.empty())
            : Failure.internal(message);
    return JsonWriter.of(failure.document(), false);
  }

  private ApiResponse finished(ApiResponse response) {
    var now = clock.instant().atOffset(ZoneOffset.UTC);
    var audited =
        response
            .with("Audit-Id", auditIds.get())
            .with("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(now));
    return audited.headers().containsKey("Cache-Control")
        ? audited
        : audited.with("Cache-Control", "no-cache, private");
  }

  private ApiResponse answer(
      ApiRequest request, RequestTarget target, ResponseWriter answers, InFlight inFlight)
      throws FailureException {
    ListOptions.checkTimeout(target);
    if (Authorizer.isOpen(target.path())) {
      return allowed(request, target, answers, Optional.empty());
    }
    var caller = authenticate(request);
    refuseImpersonation(request, caller.user());
    try (var _ = inFlight.take(caller).orElseThrow(() -> new FailureException(Failure.tooMany()))) {
      authorize(target.access(caller.user(), request.method()));
      return allowed(request, target, answers, Optional.of(caller.user()));
    }
  }

  /**
   * @param caller empty on paths that are open to everybody, who are not authenticated
   */
  private ApiResponse allowed(
      ApiRequest request, RequestTarget target, ResponseWriter answers, Optional<User> caller)
      throws FailureException {
    var reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (Health.isPath(target) && reads) {
      return health.answer(target);
    }
    if (target.isMetric() && request.method().equals("GET")) {
      return metric(request, target, answers, caller.orElseThrow());
    }
    var resources = MetricResources.with(upstream.map(Upstream::resources).orElse(List.of()));
    var page = pages.find(target, request, answers, resources);
    if (page.isPresent() && reads) {
      return page.get().get();
    }
    throw new FailureException(
        page.isPresent() || target.isMetric() || Health.isPath(target)
            ? Failure.methodNotAllowed()
            : Failure.noSuchPath());
  }

  private Authentication.Known authenticate(ApiRequest request) throws FailureException {
    return switch (authenticator.authenticate(request.credentials())) {
      case Authentication.Known known -> known;
      case Authentication.Refused() -> throw new FailureException(Failure.unauthorized());
      case Authentication.Unavailable(var reason) ->
          throw new FailureException(Failure.unavailable(reason));
    };
  }

  /** Even to callers who may impersonate: the API server in front has done it for them. */
  private static void refuseImpersonation(ApiRequest request, User user) throws FailureException {
    var headers = request.credentials().headers().keySet();
    if (headers.stream().anyMatch(header -> header.startsWith("impersonate-"))) {
      throw new FailureException(
          Failure.forbidden(
              "User %s cannot impersonate here; send Impersonate-* headers to the API server"
                  .formatted(JsonWriter.quoted(user.name())),
              "",
              ""));
    }
  }

  private void authorize(Access access) throws FailureException {
    try {
      var decision = authorizer.decide(access);
      if (!decision.allowed()) {
        throw new FailureException(ForbiddenFailure.of(access, decision.reason()));
      }
    } catch (ReviewException e) {
      throw new FailureException(
          Failure.internal("the access could not be reviewed: " + e.getMessage()));
    }
  }

  private ApiResponse metric(
      ApiRequest request, RequestTarget target, ResponseWriter answers, User caller)
      throws FailureException {
    var key = target.metric();
    var metric = key.name();
    if (target.isOn("watch")) {
      throw new FailureException(Failure.noWatch(metric));
    }
    ListOptions.check(target);
    return switch (metrics.read(key, selector(target), clock.instant())) {
      case Answer.Fresh(var items) -> answers.object(new MetricValueList(metric, items));
      case Answer.LastKnownGood(var items, _) -> answers.object(new MetricValueList(metric, items));
      case Answer.Unknown(var reason) -> throw new FailureException(Failure.unknownValue(reason));
      case Answer.Absent(var reason) -> {
        var other =
            upstream.orElseThrow(() -> new FailureException(Failure.noSuchMetric(reason, metric)));
        yield forwarded(other, request, caller);
      }
    };
  }

  private static ApiResponse forwarded(Upstream other, ApiRequest request, User caller)
      throws FailureException {
    try {
      return other.answer(request, caller);
    } catch (UpstreamException e) {
      throw new FailureException(Failure.unknownValue(String.valueOf(e.getMessage())));
    }
  }

  private static LabelSelector selector(RequestTarget target) throws FailureException {
    try {
      return LabelSelector.parse(target.parameter("labelSelector"));
    } catch (SelectorException e) {
      throw new FailureException(Failure.badRequest(String.valueOf(e.getMessage())));
    }
  }
}
