package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.operator.hpa.HpaWriter;
import io.prescale.controller.sharding.Shards;
import io.prescale.controller.sharding.SharedWork;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leader's term: an operator of the java-operator-sdk, new for each term. The SDK's own leader
 * election is not used, because it ends the process of a leader that loses its lease, and with it
 * the values that this process serves.
 */
final class ReconcilingTerm implements SharedWork {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcilingTerm.class);

  /** A tick that takes longer no longer writes, and another replica waits for this term to end. */
  private static final Duration TIME_TO_END = Duration.ofSeconds(1);

  private static final Duration TIME_TO_READ = Duration.ofSeconds(10);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);
  private static final double RETRY_GROWTH = 2;

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final Telemetry telemetry;
  private final PredictiveHpaReconciler reconciler;
  private final PublishedValues values;
  private final SavedStates states;
  private final Duty duty;
  private final Runnable informerStopped;
  private @Nullable Operator operator;

  /**
   * A term that has not begun.
   *
   * @param namespaces to watch; empty for all
   * @param reconciler whose event sources are new in each term
   * @param values which are read before the term begins
   * @param states which other replicas write while a shard is theirs
   * @param duty which PredictiveHPAs this replica works on; events of others are not looked at
   * @param informerStopped runs when the SDK gives up an informer, which only a new term replaces
   */
  ReconcilingTerm(
      KubernetesClient client,
      Set<String> namespaces,
      Telemetry telemetry,
      PredictiveHpaReconciler reconciler,
      PublishedValues values,
      SavedStates states,
      Duty duty,
      Runnable informerStopped) {
    this.client = client;
    this.namespaces = Set.copyOf(namespaces);
    this.telemetry = telemetry;
    this.reconciler = reconciler;
    this.values = values;
    this.states = states;
    this.duty = duty;
    this.informerStopped = informerStopped;
  }

  @Override
  public void begin() {
    end();
    var beginning = new Operator(this::configure);
    try {
      beginning.register(
          reconciler,
          settings -> {
            settings
                .withFieldManager(HpaWriter.FIELD_MANAGER)
                .withGenericFilter(this::concerns)
                .withInformerListLimit(BriefObjects.PAGE)
                .withReconciliationMaxInterval(Duration.ofMinutes(10))
                .withRetry(retry());
            if (!namespaces.isEmpty()) {
              settings.settingNamespaces(namespaces);
            }
          });
      operator = beginning;
      reconciler.workloads().start(namespaces);
      values.awaitRead(TIME_TO_READ); // or what an earlier leader served last would not be known
      beginning.start();
      telemetry.leads(true);
      worksOn((int) Math.round(duty.part().getAsDouble() * Shards.COUNT));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
    } catch (RuntimeException e) {
      end();
      throw e;
    }
  }

  @Override
  public void end() {
    var ending = operator;
    operator = null;
    telemetry.leads(false);
    telemetry.worksOn(0);
    if (ending != null) {
      ending.stop();
      reconciler.workloads().close();
    }
    telemetry.removedAll();
    reconciler.forgetElsewhere();
    states.outdate(_ -> true);
  }

  @Override
  public void moved(Set<Integer> shards) {
    states.outdate(position -> shards.contains(Shards.of(position)));
    reconciler.moved(resource -> shards.contains(Shards.of(Duty.position(resource))));
  }

  /** One that is deleted is looked at wherever it is, so that no memory is kept of it here. */
  private boolean concerns(PredictiveHPA resource) {
    return !duty.isElsewhere(resource) || resource.isMarkedForDeletion();
  }

  @Override
  public void worksOn(int shards) {
    telemetry.worksOn(shards);
  }

  private void configure(ConfigurationServiceOverrider settings) {
    settings
        .withKubernetesClient(client)
        .withResourceCloner(new CheapCopies(client))
        .withCloseClientOnStop(false)
        .withExecutorService(Executors.newVirtualThreadPerTaskExecutor())
        .withWorkflowExecutorService(Executors.newVirtualThreadPerTaskExecutor())
        .withReconciliationTerminationTimeout(TIME_TO_END)
        .withStopOnInformerErrorDuringStartup(false)
        .withInformerStoppedHandler(
            (_, problem) -> {
              if (problem != null) {
                LOG.error("An informer stopped, so this term ends: {}", problem.getMessage());
                informerStopped.run();
              }
            });
  }

  /** Without an end: a resource that is no longer retried would never tick again. */
  private static GenericRetry retry() {
    return new GenericRetry()
        .setInitialInterval(FIRST_RETRY)
        .setIntervalMultiplier(RETRY_GROWTH)
        .setMaxInterval(LONGEST_RETRY.toMillis())
        .withoutMaxAttempts();
  }
}
