package io.prescale.controller.demo;

import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.web.About;
import io.prescale.controller.web.ActionsView;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import io.prescale.controller.web.Mark;
import io.prescale.controller.web.ServedNow;
import io.prescale.controller.web.Why;
import io.prescale.controller.web.WorkloadSeries;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadsView;
import io.prescale.controller.web.live.ReplaySubjects;
import io.prescale.forecasting.CountInWords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The whole demo, one simulated minute at a time: what the controller does for each workload, and
 * then the minute in the simulated cluster. One thread steps; any thread may read.
 */
public final class Demo implements WorkloadsView, GpusView, ActionsView {
  /** A time in a minute after the last sync of the HPA. */
  private static final Duration AFTER_THE_SYNCS = Duration.ofSeconds(50);

  private final MetricStore scraped;
  private final PrometheusEndpoint prometheus;
  private final MetricReadModel model = new MetricReadModel();
  private final Object lock = new Object();
  private final Simulation simulation;
  private final Incidents incidents;
  private final JobEvents jobs = new JobEvents();
  private final List<Autoscaler> autoscalers;
  private final NextDays nextDays;
  private final Fits fits;
  private final Instant begin;
  private int learned;

  /**
   * Creates a demo whose controller has read nothing yet.
   *
   * @param source leads to {@link #prometheus}
   * @param server the address at which it answers
   * @param fits runs the fits of models
   */
  public Demo(DemoSettings settings, MetricSource source, PrometheusServer server, Fits fits) {
    this.fits = fits;
    this.begin = settings.start();
    this.scraped = new MetricStore(settings.historyStart());
    this.prometheus = new PrometheusEndpoint(scraped);
    this.simulation = new Simulation(settings, scraped);
    this.incidents = new Incidents(simulation);
    this.autoscalers =
        simulation.services().stream()
            .map(SimulatedService::workload)
            .map(it -> new Autoscaler(it, query(server, it), source, model, fits, settings))
            .toList();
    this.nextDays = NextDays.of(simulation, scraped, settings, fits);
  }

  static MetricQuery query(PrometheusServer server, Workload workload) {
    return new MetricQuery("demo", server, PrometheusEndpoint.query(workload), Simulation.MINUTE);
  }

  /** What the metrics API serves. */
  public MetricReadModel model() {
    return model;
  }

  /** The beginning of the minute that passes next. */
  public Instant now() {
    synchronized (lock) {
      return simulation.now();
    }
  }

  /**
   * What the simulated Prometheus answers.
   *
   * @param path what follows {@code /api/v1/}
   * @return empty while it is stopped
   */
  Optional<PrometheusEndpoint.Reply> prometheus(String path, Map<String, String> parameters) {
    synchronized (lock) {
      if (incidents.isPrometheusDown()) {
        return Optional.empty();
      }
    }
    return Optional.of(prometheus.answer(path, parameters, now()));
  }

  /**
   * Whether the histories are learned, so that time may begin. Takes in what has been learned since
   * the last call.
   */
  public boolean isWarm() {
    synchronized (lock) {
      int warm = 0;
      for (int i = 0; i < autoscalers.size(); i++) {
        var service = simulation.services().get(i);
        warm += autoscalers.get(i).isWarm(simulation.now(), service.hpa()) ? 1 : 0;
      }
      learned = warm;
      return warm == autoscalers.size();
    }
  }

  /** What is done before time begins, as of the last call of {@link #isWarm}. */
  public Optional<About.Doing> doing() {
    synchronized (lock) {
      int all = autoscalers.size();
      if (learned == all || simulation.now().isAfter(begin)) {
        return Optional.empty();
      }
      var words =
          "Learning the two weeks of history of %s; %d learned. Then time begins."
              .formatted(CountInWords.of(all, "service"), learned);
      return Optional.of(new About.Doing(words, (double) learned / all));
    }
  }

  /** Whether models take longer than in a cluster, so that time should wait. */
  public boolean isBehind() {
    return fits.areLate();
  }

  /** Simulates a minute. */
  public void step() {
    Instant now = now();
    fits.passed(now);
    var asked = new ArrayList<CompletableFuture<Reading>>();
    autoscalers.forEach(it -> asked.add(it.ask(now)));
    var readings = asked.stream().map(CompletableFuture::join).toList();
    synchronized (lock) {
      for (int i = 0; i < autoscalers.size(); i++) {
        var service = simulation.services().get(i);
        autoscalers.get(i).tick(now, readings.get(i), service.hpa(), ready(service, now));
      }
      nextDays.book(now, autoscalers.stream().map(Autoscaler::leadTime).toList());
      simulation.pass((it, at) -> served(it, at).value(), incidents.isPrometheusDown());
      jobs.add(simulation.cluster().shared().happened(), now);
      learn(now.plus(AFTER_THE_SYNCS));
      scrape();
    }
  }

  private int ready(SimulatedService service, Instant now) {
    return simulation.cluster().ready(service.workload(), now);
  }

  /** What an HPA reads through the metrics API. */
  private ServedNow served(Workload workload, Instant now) {
    return ServedNow.to(model, Autoscaler.key(workload), "", now);
  }

  private void learn(Instant now) {
    var finished = simulation.cluster().finishedScaleUps(now);
    for (int i = 0; i < autoscalers.size(); i++) {
      var service = simulation.services().get(i);
      var autoscaler = autoscalers.get(i);
      autoscaler.look(now, service.hpa(), ready(service, now));
      service.explain(autoscaler.decision());
      finished.stream()
          .filter(it -> it.workload().equals(service.workload()))
          .forEach(it -> autoscaler.learnLead(it.scaleUp()));
    }
  }

  /** Scrapes at the end of the minute, unless Prometheus is stopped. */
  private void scrape() {
    if (!incidents.isPrometheusDown()) {
      simulation
          .services()
          .forEach(it -> scraped.add(it.workload().name(), simulation.now(), it.demand()));
    }
  }

  /** The results so far. */
  public Tally tally() {
    synchronized (lock) {
      return Tally.of(simulation.services(), simulation.cluster().shared());
    }
  }

  /**
   * The subject of a replay of a workload.
   *
   * @param server that has its history
   */
  ReplaySubjects.Found replaySubject(PrometheusServer server, String workload) {
    return service(workload)
        .<ReplaySubjects.Found>map(
            it -> new ReplaySubjects.Found.Subject(DemoReplays.of(server, it.workload())))
        .orElseGet(
            () -> new ReplaySubjects.Found.Nothing("There is no workload %s.".formatted(workload)));
  }

  private Optional<SimulatedService> service(String name) {
    return simulation.services().stream()
        .filter(it -> it.workload().name().equals(name))
        .findFirst();
  }

  private Optional<CycleResult> newest(SimulatedService service) {
    return autoscaler(service).newest();
  }

  private List<Mark> marks(SimulatedService service) {
    var made = incidents.events().stream().map(it -> new Mark(it.at(), Mark.Kind.EVENT, it.text()));
    return Stream.concat(autoscaler(service).marks().stream(), made).toList();
  }

  private Autoscaler autoscaler(SimulatedService service) {
    return autoscalers.get(simulation.services().indexOf(service));
  }

  @Override
  public List<WorkloadSummary> workloads() {
    synchronized (lock) {
      return simulation.services().stream().map(this::summary).toList();
    }
  }

  private WorkloadSummary summary(SimulatedService service) {
    var now = simulation.now();
    var served = served(service.workload(), now);
    return DemoWorkloads.summary(service, simulation.cluster(), now, served, newest(service));
  }

  @Override
  public Optional<WorkloadSeries> series(String workload, Optional<String> metric, Duration last) {
    synchronized (lock) {
      return service(workload)
          .filter(it -> metric.map(it.workload().metric()::equals).orElse(true))
          .map(it -> DemoWorkloads.series(it, last, newest(it), marks(it)));
    }
  }

  @Override
  public Optional<Why> why(String workload, Instant at) {
    synchronized (lock) {
      return service(workload)
          .flatMap(it -> DemoWorkloads.minute(it, at))
          .flatMap(Minute::why)
          .map(it -> Why.of(workload, it));
    }
  }

  @Override
  public GpuPage gpus(Query query) {
    synchronized (lock) {
      return new DemoGpus(simulation).page(query);
    }
  }

  @Override
  public List<Action> actions() {
    return incidents.actions();
  }

  @Override
  public List<Event> events() {
    synchronized (lock) {
      return Stream.concat(incidents.events().stream(), jobs.events().stream())
          .sorted(Comparator.comparing(Event::at).reversed())
          .toList();
    }
  }

  /**
   * What happens at this minute unprompted, of what happens to Jobs the first of its kind on a day;
   * in most minutes nothing does.
   */
  public List<Event> byItself() {
    synchronized (lock) {
      return Stream.concat(jobs.firstOfTheDay().stream(), incidents.byItself().stream()).toList();
    }
  }

  @Override
  public Outcome perform(String action, String workload) {
    synchronized (lock) {
      return incidents.perform(action, workload);
    }
  }
}
