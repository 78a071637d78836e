package io.prescale.placement.topology;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The kinds of node for the tests of this package. */
final class Machines {
  private Machines() {}

  static Stream<Arguments> all() {
    return Stream.of(
        Arguments.of("DGX-1 V100", KnownMachines.dgx1V100()),
        Arguments.of("DGX A100", KnownMachines.dgxA100()),
        Arguments.of("HGX H100", KnownMachines.hgxH100()),
        Arguments.of("PCIe only", KnownMachines.pcieOnly()),
        Arguments.of("P800", KnownMachines.p800()));
  }
}
