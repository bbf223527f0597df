package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.PageJava;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Java of docs/spring.md compiles. */
class PageJavaTest {
  private static final List<String> IMPORTS =
      List.of("dev.mintmark.*", "java.util.*", "org.springframework.web.bind.annotation.*");

  /** Views of an application, which the page does not show. */
  private static final String MEMBERS =
      "record PaymentView(PaymentId id) {} record MandateView(UUID id) {}";

  @Test
  void everyBlockCompiles() throws IOException {
    List<String> blocks = PageJava.blocks(Path.of("../docs/spring.md"));

    assertThat(blocks).hasSizeGreaterThanOrEqualTo(2);
    for (String block : blocks) {
      assertThat(PageJava.errors(block, IMPORTS, MEMBERS)).isEmpty();
    }
  }
}
