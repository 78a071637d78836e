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
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The API server as a function from requests to responses: authenticates, authorizes, answers.
 * Thread-safe; it blocks only while the cluster reviews a token or an access whose last review is
 * older than 10 s.
 */
public final class ExternalMetricsApi {
  private final MetricReadModel metrics;
  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final Health health;
  private final FixedPages pages;
  private final InstantSource clock;
  private final Supplier<String> auditIds;

  /**
   * Creates an API that serves {@code metrics}.
   *
   * @param version version of the program
   * @param auditIds generates unique identifiers for responses
   */
  public ExternalMetricsApi(
      MetricReadModel metrics,
      Authenticator authenticator,
      Authorizer authorizer,
      Health health,
      String version,
      InstantSource clock,
      Supplier<String> auditIds) {
    this.metrics = metrics;
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.health = health;
    this.pages = new FixedPages(version);
    this.clock = clock;
    this.auditIds = auditIds;
  }

  /** Handles one request; every refusal is a {@code Status}. */
  public ApiResponse handle(ApiRequest request) {
    var answers = new ResponseWriter(request);
    ApiResponse response;
    try {
      response = answer(request, RequestTarget.of(request), answers);
    } catch (FailureException e) {
      response = answers.failure(e.failure());
    }
    return finished(response);
  }

  /** The response when too many requests are in progress. */
  public ApiResponse refuseForNow(ApiRequest request) {
    return finished(new ResponseWriter(request).failure(Failure.tooMany()));
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

  private ApiResponse answer(ApiRequest request, RequestTarget target, ResponseWriter answers)
      throws FailureException {
    if (!Authorizer.isOpen(target.path())) {
      authorize(target.access(authenticate(request), request.method()));
    }
    var reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (Health.isPath(target) && reads) {
      return health.answer(target);
    }
    if (target.isMetric() && request.method().equals("GET")) {
      return answers.object(values(target));
    }
    var page = pages.find(target, request, answers);
    if (page.isPresent() && reads) {
      return page.get().get();
    }
    throw new FailureException(
        page.isPresent() || target.isMetric() || Health.isPath(target)
            ? Failure.methodNotAllowed()
            : Failure.noSuchPath());
  }

  private User authenticate(ApiRequest request) throws FailureException {
    return switch (authenticator.authenticate(request.credentials())) {
      case Authentication.Known(var user) -> user;
      case Authentication.Refused() -> throw new FailureException(Failure.unauthorized());
      case Authentication.Unavailable(var reason) ->
          throw new FailureException(Failure.unavailable(reason));
    };
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

  private MetricValueList values(RequestTarget target) throws FailureException {
    var key = target.metric();
    var metric = key.name();
    if (target.isOn("watch")) {
      throw new FailureException(Failure.noWatch(metric));
    }
    ListOptions.check(target);
    return switch (metrics.read(key, selector(target), clock.instant())) {
      case Answer.Fresh(var items) -> new MetricValueList(metric, items);
      case Answer.LastKnownGood(var items, _) -> new MetricValueList(metric, items);
      case Answer.Unknown(var reason) -> throw new FailureException(Failure.unknownValue(reason));
      case Answer.Absent(var reason) ->
          throw new FailureException(Failure.noSuchMetric(reason, metric));
    };
  }

  private static LabelSelector selector(RequestTarget target) throws FailureException {
    try {
      return LabelSelector.parse(target.parameter("labelSelector"));
    } catch (SelectorException e) {
      throw new FailureException(Failure.badRequest(String.valueOf(e.getMessage())));
    }
  }
}
