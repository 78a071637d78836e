package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.VendorNode.amounts;
import static io.prescale.placement.ledger.VendorNode.asking;
import static io.prescale.placement.ledger.VendorNode.offering;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.IndependentDecoder;
import io.prescale.placement.inventory.IndependentDecoder.Device;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of every vendor: registered, asked for, decided, written, and decoded by another program. */
class VendorsTest {
  private static final String QUARTER =
      "metax-tech.com/sgpu=1 metax-tech.com/vmemory=16 metax-tech.com/vcore=25";

  private final VendorNode node = new VendorNode();
  private final Ledger ledger = node.ledger;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hami.io/node-dcu-register | d-0,4,32768,100,Z100,0,true: | hygon.com/dcunum=1 hygon.com/dcumem=8000 hygon.com/dcucores=30 | hami.io/dcu-devices-to-allocate | d-0 | DCU | 8000 | 30
          hami.io/node-BI-V150-register | i-0,4,32768,100,BI,0,true: | iluvatar.ai/BI-V150-vgpu=1 iluvatar.ai/BI-V150.vMem=16 iluvatar.ai/BI-V150.vCore=50 | hami.io/BI-V150-devices-to-allocate | i-0 | BI-V150 | 4096 | 50
          hami.io/node-register-Ascend910B3 | [{"id":"a-0","count":4,"devmem":65536,"devcore":20,"type":"Ascend910B3","health":true}] | huawei.com/Ascend910B3=1 huawei.com/Ascend910B3-memory=10000 | hami.io/Ascend910B3-devices-to-allocate | a-0 | Ascend910B3 | 16384 | 0
          metax-tech.com/node-gpu-devices | [{"uuid":"m-0","model":"C500","totalDevCount":8,"totalCompute":100,"totalVRam":65536,"healthy":true}] | metax-tech.com/sgpu=1 metax-tech.com/vmemory=16 metax-tech.com/vcore=25 | hami.io/metax-sgpu-devices-to-allocate | m-0 | Metax-SGPU | 16384 | 25
          hami.io/node-amd-register | [{"id":"r-0","count":4,"devmem":196608,"devcore":304,"type":"MI300X","health":true}] | amd.com/gpu=1 | hami.io/amd-devices-to-allocate | r-0 | AMD | 196608 | 304
          hami.io/node-register-xpu | [{"id":"x-0","index":0,"count":4,"devmem":98304,"devcore":100,"type":"P800-OAM","health":true}] | kunlunxin.com/vxpu=1 | hami.io/xpu-devices-to-allocate | x-0 | XPU | 98304 | 100
          """)
  void sharesAndCardsAreWrittenAsTheDevicePluginReadsThem(
      String register,
      String text,
      String resources,
      String key,
      String uuid,
      String word,
      int memoryMib,
      int cores) {
    var count = resources.split("=", 2)[0];
    ledger.seen(Nodes.registering("n", register, text, count));

    var annotations = node.bound(asking("p", resources));

    assertThat(IndependentDecoder.decode(annotations.getOrDefault(key, "")))
        .containsExactly(new Device(0, uuid, word, memoryMib, cores));
    assertThat(ledger.totals().heldMemoryMib())
        .as("what was written is read back")
        .isEqualTo(memoryMib);
  }

  @Test
  void cardsOfKunlunAreLinkedWithinEachHalfOfAMachine() {
    var well = Set.of(0, 5, 6);
    ledger.seen(
        Nodes.registering(
            "n",
            "hami.io/node-register-xpu",
            IntStream.range(0, 8)
                .mapToObj(
                    card ->
                        """
                        {"id":"x-%d","index":%1$d,"count":4,"devmem":98304,"devcore":100,
                         "type":"P800-OAM","health":%b}
                        """
                            .formatted(card, well.contains(card)))
                .collect(Collectors.joining(",", "[", "]")),
            "kunlunxin.com/vxpu"));

    var annotations = node.bound(asking("p", "kunlunxin.com/vxpu=2"));

    assertThat(
            IndependentDecoder.decode(
                annotations.getOrDefault("hami.io/xpu-devices-to-allocate", "")))
        .extracting(Device::uuid)
        .containsExactlyInAnyOrder("x-5", "x-6");
  }

  private void metax(String service) {
    ledger.seen(
        Nodes.registering(
            "n",
            "metax-tech.com/node-gpu-devices",
            """
            [{"uuid":"m-0","model":"C500","totalDevCount":8,"totalCompute":100,"totalVRam":65536,
              "healthy":true,"qosPolicy":"%s"}]
            """
                .formatted(service),
            "metax-tech.com/sgpu"));
  }

  @Test
  void sharesOfMetaxAreOfTheClassBestEffort() {
    metax("best-effort");

    assertThat(node.bound(asking("one", QUARTER)))
        .containsEntry("metax-tech.com/sgpu-qos-policy", "best-effort")
        .containsEntry(
            "metax-tech.com/gpu-devices-allocated",
            "[[{\"uuid\":\"m-0\",\"compute\":25,\"vRam\":16384}]]");
    node.bound(asking("two", QUARTER));
  }

  @Test
  void anIdleCardOfMetaxTakesOneShareUntilItIsOfTheSameClass() {
    metax("fixed-share");
    node.bound(asking("one", QUARTER));

    assertThat(node.refusal(asking("two", QUARTER))).isEqualTo("lacks a free slot");
    metax("best-effort");
    node.bound(asking("two", QUARTER));
  }

  @Test
  void whoAsksMetaxForMemoryAloneHasAllOfTheCompute() {
    metax("");
    node.bound(asking("one", "metax-tech.com/sgpu=1 metax-tech.com/vmemory=1"));

    assertThat(node.refusal(asking("two", QUARTER))).isEqualTo("lacks compute");
  }

  @ParameterizedTest
  @CsvSource({
    "metax-tech.com/sgpu-qos-policy, fixed-share, of shares only those of the class best-effort",
    "metax-tech.com/sgpu-app-class, online, pods of application classes are not decided here"
  })
  void otherClassesOfMetaxAreRefused(String key, String value, String sentence) {
    metax("");
    var pod =
        Pods.of("p", List.of(new Container("c", false, amounts(QUARTER))), Map.of(key, value));

    assertThat(node.refusal(pod)).startsWith("%s is \"%s\"; %s".formatted(key, value, sentence));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metax-tech.com/sgpu=1 metax-tech.com/vmemory=-1                  | ask for 0 to 4096
          metax-tech.com/sgpu=1 metax-tech.com/vmemory=34359738368         | ask for 0 to 4096
          metax-tech.com/sgpu=1 metax-tech.com/vmemory=9223372036854775807 | ask for 0 to 4096
          metax-tech.com/sgpu=1 metax-tech.com/vcore=101                   | ask for 0 to 100
          metax-tech.com/sgpu=17                                           | ask for 0 to 16
          amd.com/gpu=1 amd.com/gpumem=1024                                | ask for whole cards
          cambricon.com/vmlu=1                                             | ask for both, cambricon.com/mlu.smlu.vmemory and cambricon.com/mlu.smlu.vcore
          cambricon.com/mlu.smlu.vmemory=4                                 | ask for both, cambricon.com/mlu.smlu.vmemory and cambricon.com/mlu.smlu.vcore
          cambricon.com/vmlu=0 cambricon.com/mlu.smlu.vmemory=4 cambricon.com/mlu.smlu.vcore=10 | ask for one card in one container
          cambricon.com/vmlu=2 cambricon.com/mlu.smlu.vmemory=4 cambricon.com/mlu.smlu.vcore=10 | ask for one card in one container
          mthreads.com/vgpu=1 mthreads.com/sgpu-memory=4                   | Mthreads is not given out here, because its device plugin knows cards by their place
          enflame.com/vgcu=1 enflame.com/vgcu-percentage=50                | Enflame is not given out here, because its device plugin registers no memory
          enflame.com/drs-gcu=3                                            | Enflame-DRS is not given out here, because its cards are cut into profiles of its own
          enflame.com/gcu-memory=20480 enflame.com/gcu-core=40             | Enflame-DRS is not given out here, because its cards are cut into profiles of its own
          huawei.com/Ascend910C=2                                          | Ascend910C is not given out here, because its NPUs are given in pairs, by modules
          huawei.com/Ascend910C=1 huawei.com/Ascend910C-memory=16384       | Ascend910C is not given out here, because its NPUs are given in pairs, by modules
          kunlunxin.com/vxpu=1 kunlunxin.com/vxpu-memory=24576             | shares of XPU are not decided here; ask for whole cards by their number
          """)
  void saysWhatIsNotDecided(String resources, String sentence) {
    metax("");

    assertThat(node.refusal(asking("p", resources))).contains(sentence);
  }

  @Test
  void cardsThatNobodyRegistersAreCountedByWhatTheNodeOffers() {
    ledger.seen(
        offering(
            Map.of(
                "cambricon.com/mlu.smlu.vcore", 200L,
                "cambricon.com/mlu.smlu.vmemory", 192L,
                "mthreads.com/sgpu-core", 16L,
                "mthreads.com/sgpu-memory", 96L)));
    ledger.seen(
        Pods.bound(
            asking("held", "cambricon.com/vmlu=1 mthreads.com/vgpu=1"),
            "n",
            Map.of(
                "hami.io/cambricon-mlu-devices-allocated", "n-cambricon-mlu-1,MLU,4096,10:;",
                "hami.io/mthreads-vgpu-devices-allocated", "n-mthreads-0,Mthreads,1024,4:;")));

    assertThat(ledger.totals().cards()).isEqualTo(3);
    assertThat(ledger.totals().memoryMib()).isEqualTo(192 * 256 + 96 * 512);
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(4096 + 1024);
    assertThat(ledger.totals().heldMilli()).isEqualTo(100 + 40);
    assertThat(ledger.problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-100, 5, 0",
    "0, 5, 0",
    "50, -5, 1",
    "9223372036854775807, 9223372036854775807, 16",
  })
  void offersThatMakeNoSenseMakeNoCardsWithoutEnd(long cores, long memory, int cards) {
    ledger.seen(
        offering(
            Map.of(
                "cambricon.com/mlu.smlu.vcore", cores, "cambricon.com/mlu.smlu.vmemory", memory)));

    assertThat(ledger.totals().cards()).isEqualTo(cards);
    assertThat(ledger.totals().memoryMib()).isBetween(0L, 16L << 22);
  }

  @Test
  void modelsOfCardsThatAreOnlyCountedAreHeeded() {
    ledger.seen(Nodes.plain("n", 8));

    assertThat(node.offer(plain("use", "nvidia.com/use-gputype", "L4")))
        .isEqualTo(new Candidates.Nodes(List.of("n")));
    assertThat(node.offer(plain("nouse", "nvidia.com/nouse-gputype", "A100")))
        .isEqualTo(new Candidates.Nodes(List.of("n")));
    assertThat(node.offer(plain("other", "nvidia.com/use-gputype", "A100")))
        .isInstanceOf(Candidates.Nowhere.class);
    assertThat(node.offer(plain("not", "nvidia.com/nouse-gputype", "l4")))
        .isInstanceOf(Candidates.Nowhere.class);
    assertThat(node.offer(plain("card", "nvidia.com/use-gpuuuid", "GPU-1")))
        .as("nobody can choose among them")
        .isInstanceOf(Candidates.Nowhere.class);
  }

  private static PodFacts plain(String name, String key, String value) {
    var asked = Map.of("nvidia.com/gpu", 1L);
    return Pods.of(name, List.of(new Container("c", false, asked)), Map.of(key, value));
  }
}
