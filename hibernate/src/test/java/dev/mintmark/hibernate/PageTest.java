package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.PageJava;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java of docs/hibernate.md compiles; what it says of equality is tested by MappingsTest. */
@Tag("slow")
class PageTest {
  private static final Path PAGE = Path.of("../docs/hibernate.md");
  private static final List<String> IMPORTS =
      List.of(
          "dev.mintmark.*",
          "dev.mintmark.hibernate.*",
          "jakarta.persistence.*",
          "java.util.Objects",
          "org.hibernate.Hibernate",
          "org.jspecify.annotations.Nullable");

  @Test
  void everyBlockCompiles() throws IOException {
    assertThat(PageJava.blocks(PAGE)).hasSizeGreaterThanOrEqualTo(4);
    for (String block : PageJava.blocks(PAGE)) {
      boolean isClass = block.startsWith("@");
      String members =
          isClass
              ? "record PaymentId(long value) {}"
              : "static class Activity { UuidReference subject; } Activity activity; Puris puris;";
      assertThat(PageJava.errors(isClass ? block : "{" + block + "}", IMPORTS, members)).isEmpty();
    }
  }

  @Test
  void theClassWithEqualityIsThatOfTheTests() throws IOException {
    String tested = Files.readString(Path.of("src/test/java/dev/mintmark/hibernate/Label.java"));

    assertThat(PageJava.blocks(PAGE))
        .anySatisfy(block -> assertThat(withoutLayout(tested)).contains(withoutLayout(block)));
  }

  private static String withoutLayout(String java) {
    return java.replaceAll("\\s+", "");
  }
}
