package io.prescale.controller.scheduler.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.scheduler.facts.WrittenPodGroup;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodGroupFeedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {schedulingPolicy: {gang: {minCount: 4}}}   | 4
          {schedulingPolicy: {basic: {}}}             | 0
          {schedulingPolicy: {gang: {}}}              | 0
          {schedulingPolicy: {gang: {minCount: -4}}}  | 0
          {schedulingPolicy: {gang: {minCount: many}}} | 0
          {schedulingPolicy: []}                      | 0
          null                                        | 0
          """)
  void aPodGroupIsAGangOfSoManyAtLeast(String spec, int least) {
    var group = WrittenPodGroup.of(spec);

    assertThat(PodGroupFeed.least(group).orElse(0)).isEqualTo(least);
  }
}
