package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class OldFaceMeterTest {
  @Test
  void clientIsUnknownUnlessTheApplicationNamesIt() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();

    new OldFaceMeter(() -> registry, () -> null).read("payments", true);
    new OldFaceMeter(() -> registry, () -> " ").read("payments", true);
    new OldFaceMeter(() -> registry, () -> "shop").read("payments", false);

    assertThat(registry.getMeters()).hasSize(2);
    assertThat(
            registry
                .get("mintmark.faces.retiring")
                .tags("collection", "payments", "client", "unknown", "outcome", "accepted")
                .counter()
                .count())
        .isEqualTo(2);
    assertThat(registry.get("mintmark.faces.retiring").tag("client", "shop").counter().count())
        .isEqualTo(1);
  }

  @Test
  void nothingIsCountedWithoutARegistry() {
    new OldFaceMeter(
            () -> null,
            () -> {
              throw new AssertionError("nobody asks for the client");
            })
        .read("payments", true);
  }
}
