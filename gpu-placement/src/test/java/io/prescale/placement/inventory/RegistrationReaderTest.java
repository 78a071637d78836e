package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.cluster.Partitioning;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistrationReaderTest {
  private static final String TWO_CARDS =
      """
      [{"id":"GPU-a","count":10,"devmem":81920,"devcore":100,"type":"NVIDIA A100-SXM4-80GB",
        "mode":"hami-core","health":true},
       {"id":"GPU-b","index":1,"count":4,"devmem":122880,"devcore":150,
        "type":"NVIDIA A100-SXM4-80GB","numa":1,"mode":"hami-core"}]
      """;

  @Test
  void readsTheJsonOfHami210WhereFalseAndZeroAreLeftOut() {
    var read = RegistrationReader.read(Families.NVIDIA, TWO_CARDS);

    assertThat(read.problems()).isEmpty();
    assertThat(read.cards()).hasSize(2);
    var first = read.cards().getFirst();
    assertThat(first.uuid()).isEqualTo("GPU-a");
    assertThat(first.vendor()).isEqualTo("NVIDIA");
    assertThat(first.model()).isEqualTo("NVIDIA A100-SXM4-80GB");
    assertThat(first.memoryMib()).isEqualTo(81_920);
    assertThat(first.computeMilli()).isEqualTo(1000);
    assertThat(first.slots()).isEqualTo(10);
    assertThat(first.partitioning()).isEqualTo(Partitioning.HAMI_CORE);
    assertThat(first.health().state()).isEqualTo(State.USABLE);
    var second = read.cards().getLast();
    assertThat(second.computeMilli()).isEqualTo(1500);
    assertThat(second.memoryMib()).isEqualTo(122_880);
    assertThat(second.health().state()).as("no health is bad health").isEqualTo(State.UNHEALTHY);
  }

  @Test
  void readsTheTextOfSevenAndOfNineFields() {
    var read =
        RegistrationReader.read(
            Families.HYGON,
            "DCU-0,4,32768,100,DCU-Z100,0,true:DCU-1,4,32768,100,DCU-Z100,1,false,1,hami-core:");

    assertThat(read.problems()).isEmpty();
    assertThat(read.cards()).extracting(Gpu::uuid).containsExactly("DCU-0", "DCU-1");
    assertThat(read.cards()).extracting(Gpu::vendor).containsOnly("DCU");
    assertThat(read.cards())
        .extracting(card -> card.health().state())
        .containsExactly(State.USABLE, State.UNHEALTHY);
  }

  @Test
  void readsTheFieldNamesOfMetax() {
    var read =
        RegistrationReader.read(
            Families.METAX,
            """
            [{"uuid":"GPU-m","model":"C500","totalDevCount":8,"totalCompute":100,
              "totalVRam":65536,"healthy":true}]
            """);

    assertThat(read.problems()).isEmpty();
    assertThat(read.cards().getFirst().memoryMib()).isEqualTo(65_536);
    assertThat(read.cards().getFirst().slots()).isEqualTo(8);
  }

  @Test
  void readsWhatAMigCardCanBeCutInto() {
    var read =
        RegistrationReader.read(
            Families.NVIDIA,
            """
            [{"id":"GPU-a","count":7,"devmem":40960,"devcore":100,"type":"A100","mode":"mig",
              "health":true,"migProfiles":[{"name":"3g.20gb","memoryMB":20480,"core":42,
              "sliceCount":3,"placements":[{"start":0,"size":4},{"start":4,"size":4}]}]}]
            """);

    assertThat(read.problems()).isEmpty();
    var card = read.cards().getFirst();
    assertThat(card.partitioning()).isEqualTo(Partitioning.MIG_BY_SIZE);
    assertThat(card.migProfile("3g.20gb").orElseThrow().starts()).containsExactly(0, 4);
    assertThat(card.migProfile("3g.20gb").orElseThrow().computeMilli()).isEqualTo(420);
  }

  @Test
  void takesThePlacesOfMigInAnyOrder() {
    var register = Nodes.mig("n", 1).annotations().getOrDefault(Families.NVIDIA.registerKey(), "");

    var card = RegistrationReader.read(Families.NVIDIA, register).cards().getFirst();

    assertThat(card.migProfile("1g.5gb").orElseThrow().starts())
        .containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(card.slots()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                            | there are no migProfiles
          {"name":"1g","memoryMB":1,"core":1}                           | size 0, at most 1
          {"name":"1g","memoryMB":-1,"core":1,"placements":[{"size":1}]}   | 10 milli, -1 MiB
          {"name":"1g","memoryMB":1,"core":101,"placements":[{"size":1}]}  | give 1 to 1000 milli
          {"name":"1g","memoryMB":1,"core":1,"placements":[{"size":17}]}   | the last is at most -1
          {"name":"1g","memoryMB":1,"core":1,"placements":[{"size":1},{"start":2,"size":2}]} | covers 1 slices at one place and 2 at another
          {"name":"1g","memoryMB":99999999999,"core":1}                 | memoryMB is 99999999999
          """)
  void leavesAMigCardOutThatDoesNotSayWhatItCanBeCutInto(String profiles, String sentence) {
    var read =
        RegistrationReader.read(
            Families.NVIDIA,
            """
            [{"id":"GPU-a","count":7,"devmem":40960,"devcore":100,"type":"A100","mode":"mig",
              "health":true,"migProfiles":[%s]}]
            """
                .formatted(profiles));

    assertThat(read.cards()).isEmpty();
    assertThat(read.problems()).hasSize(1).first().asString().contains(sentence);
  }

  @Test
  void takesTheGoodCardsBesideEveryKindOfBadOne() {
    var read =
        RegistrationReader.read(
            Families.NVIDIA,
            """
            [7, null, {"id":"","count":1,"devmem":1,"devcore":1,"type":"x"},
             {"id":"a:b","count":1,"devmem":1,"devcore":1,"type":"x"},
             {"id":"neg","count":1,"devmem":-5,"devcore":100,"type":"x"},
             {"id":"big","count":1,"devmem":99999999999999999999,"devcore":100,"type":"x"},
             {"id":"frac","count":1.5,"devmem":1,"devcore":100,"type":"x"},
             {"id":"text","count":"1","devmem":1,"devcore":100,"type":"x"},
             {"id":"mode","count":1,"devmem":1,"devcore":100,"type":"x","mode":"magic"},
             {"id":"zero","devmem":1,"devcore":100,"type":"x"},
             {"id":"mig","count":1,"devmem":1,"devcore":100,"type":"x","migProfiles":[{"name":""}]},
             {"id":"good","count":1,"devmem":1024,"devcore":100,"type":"x","health":true},
             {"id":"good","count":9,"devmem":4096,"devcore":100,"type":"x","health":true}]
            """);

    assertThat(read.cards()).extracting(Gpu::uuid).containsExactly("good");
    assertThat(read.cards().getFirst().memoryMib()).as("the first one counts").isEqualTo(1024);
    assertThat(read.problems()).hasSize(12);
    assertThat(read.problems().get(4))
        .isEqualTo(
            "card 5 of hami.io/node-nvidia-register is left out: the memory is -5 MiB; give 1 to"
                + " 4194304.");
    assertThat(read.problems().get(5)).contains("devmem is \"99999999999999999999\"");
    assertThat(read.problems().getLast()).contains("the UUID good is registered twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                | is empty; its cards are left out.
          [                                 | is not JSON
          []]                               | is not JSON
          [{"id":"a"}                       | is not JSON
          {"id":"a"}                        | it has 1 fields; give 7 or 9
          nonsense                          | it has 1 fields; give 7 or 9
          a,b,c                             | it has 3 fields; give 7 or 9
          u,x,1,100,T,0,true:               | count is "x"; give a whole number
          u,1,99999999999999999999,1,T,0,true: | memory is "99999999999999999999"
          u,-1,1,100,T,0,true:              | count is -1; give 1 to 10000
          u,1,1,100,T,0,maybe:              | health is "maybe"; give true or false
          """)
  void saysWhatIsWrongWithAnAnnotation(String text, String sentence) {
    var read = RegistrationReader.read(Families.NVIDIA, text);

    assertThat(read.cards()).isEmpty();
    assertThat(read.problems()).first().asString().contains(sentence);
  }

  @Test
  void leavesAnAnnotationOf256KibOut() {
    var read = RegistrationReader.read(Families.NVIDIA, "[" + "7,".repeat(131_071) + "7]");

    assertThat(read.cards()).isEmpty();
    assertThat(read.problems())
        .containsExactly(
            "hami.io/node-nvidia-register has 262145 characters; at most 65536 are read; its cards"
                + " are left out.");
  }

  @Test
  void quotesForeignTextShortAndOnOneLine() {
    var read = RegistrationReader.read(Families.HYGON, "x\n\u001b[31m" + "y".repeat(500));

    assertThat(read.problems()).hasSize(1);
    assertThat(read.problems().getFirst()).hasSizeLessThan(200).doesNotContain("\n", "\u001b");
  }

  /** Cut, repeated and with bytes changed: it never fails, and what it takes makes sense. */
  @Test
  void survivesDamage() {
    var random = new SplittableRandom(20261121);
    int cards = 0;
    int problems = 0;
    for (int run = 0; run < 5000; run++) {
      var text = new StringBuilder(run % 2 == 0 ? TWO_CARDS : "a,1,2,3,T,0,true,0,mps:");
      for (int damage = random.nextInt(1, 6); damage > 0; damage--) {
        int at = random.nextInt(text.length());
        text.setCharAt(at, "[]{}\",:;0-9eE\\u\n\0".charAt(random.nextInt(17)));
      }
      if (random.nextInt(3) == 0) {
        text.setLength(random.nextInt(text.length()));
      }

      var read = RegistrationReader.read(Families.NVIDIA, text.toString());

      assertThat(read.cards())
          .allSatisfy(card -> assertThat(card.memoryMib()).isPositive())
          .doesNotHaveDuplicates();
      assertThat(read.problems()).doesNotContainNull();
      cards += read.cards().size();
      problems += read.problems().size();
    }
    assertThat(cards).isGreaterThan(300);
    assertThat(problems).isGreaterThan(500);
  }

  @Test
  void everyFamilyWithANameIsAmongAll() throws IllegalAccessException {
    for (var field : Families.class.getFields()) {
      if (field.getType() == Family.class) {
        assertThat(Families.ALL).as(field.getName()).contains((Family) field.get(null));
      }
    }
  }

  @Test
  void knowsEveryFamilyByOneAnnotationAndOneResource() {
    assertThat(Families.ALL).extracting(Family::registerKey).doesNotHaveDuplicates();
    assertThat(Families.ALL)
        .extracting(family -> family.resources().count())
        .doesNotHaveDuplicates()
        .containsAll(
            List.of(
                "nvidia.com/gpu",
                "hygon.com/dcunum",
                "iluvatar.ai/BI-V150-vgpu",
                "huawei.com/Ascend910B3",
                "amd.com/gpu",
                "kunlunxin.com/vxpu",
                "metax-tech.com/sgpu"));
  }
}
