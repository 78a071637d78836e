package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What workloads say themselves of how many replicas they keep. */
class ElasticityTest {
  private static final String TWO =
      "{metadata: {annotations: {gpu.prescale.io/min-replicas: '2'}}}";
  private static final String ONE =
      "{metadata: {annotations: {gpu.prescale.io/min-replicas: '1'}}}";

  /** A leader without the annotation would be of no workload, and its workers of one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{template: " + TWO + "} | 2",
        "{template: {}} | -1",
        "{} | -1",
        "{template: {metadata: {annotations: {gpu.prescale.io/min-replicas: '-1'}}}} | -1",
        "{leaderWorkerTemplate: {workerTemplate: " + TWO + "}} | 2",
        "{leaderWorkerTemplate: {leaderTemplate: " + ONE + ", workerTemplate: " + TWO + "}} | 2",
        "{leaderWorkerTemplate: {leaderTemplate: {}, workerTemplate: " + TWO + "}} | -1",
        "{leaderWorkerTemplate: {leaderTemplate: " + TWO + ", workerTemplate: {}}} | -1",
      })
  void eachTemplateHasToDeclareAMinimum(String spec, int minimum) {
    var workload = ApiWithoutRepetition.workload("Deployment", "", spec);

    assertThat(Elasticity.declared(workload).orElse(-1)).isEqualTo(minimum);
  }
}
