package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.PageJava;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java of docs/spring.md, and the bean of docs/changing-ids.md, compile. */
@Tag("slow")
class PageJavaTest {
  private static final List<String> IMPORTS =
      List.of("dev.mintmark.*", "java.util.*", "org.springframework.web.bind.annotation.*");

  /** What is imported besides, and what an application has, for blocks that contain a text. */
  private record Surroundings(String text, List<String> imports, String members) {}

  private static final List<Surroundings> SURROUNDINGS =
      List.of(
          new Surroundings(
              "MandateView find",
              List.of(),
              "record PaymentView(PaymentId id) {} record MandateView(UUID id) {}"),
          new Surroundings(
              "KeysetPages<Incident> incidents(",
              List.of(
                  "dev.mintmark.postgres.page.*",
                  "java.sql.SQLException",
                  "javax.sql.DataSource",
                  "org.springframework.context.annotation.Bean"),
              """
              DataSource dataSource;
              KeysetPages<Incident> incidents;
              record Incident(Ulid id, String title) {}
              record Incidents(List<Incident> all) {
                static Incidents of(Page<Incident> page) { return new Incidents(page.rows()); }
              }
              """),
          new Surroundings(
              "PageWindows<Incident> windows",
              List.of(
                  "dev.mintmark.postgres.page.KeysetPages",
                  "dev.mintmark.spring.data.PageWindows",
                  "javax.sql.DataSource",
                  "org.springframework.data.domain.ScrollPosition",
                  "org.springframework.data.support.WindowIterator"),
              """
              DataSource dataSource;
              KeysetPages<Incident> incidents;
              UUID organisation;
              record Incident(Ulid id, String title) {}
              """),
          new Surroundings(
              "SearchSpecification<Payment> box",
              List.of(
                  "dev.mintmark.postgres.search.*",
                  "dev.mintmark.spring.data.SearchSpecification",
                  "org.springframework.data.domain.*",
                  "org.springframework.data.jpa.domain.Specification",
                  "org.springframework.data.jpa.repository.JpaSpecificationExecutor"),
              """
              Catalog catalog;
              String tenant;
              JpaSpecificationExecutor<Payment> payments;
              record PaymentId(long value) {}
              record Payment(PaymentId id) {}
              abstract Specification<Payment> ofTenant(String tenant);
              """));

  @Test
  void theBeanThatNamesTheClientCompiles() throws IOException {
    String bean = PageJava.blocks(Path.of("../docs/changing-ids.md")).get(0);

    assertThat(bean).startsWith("@Bean\n");
    assertThat(
            PageJava.errors(
                bean,
                List.of(
                    "java.security.Principal",
                    "java.util.function.Supplier",
                    "org.springframework.context.annotation.Bean"),
                """
                interface SecurityContext { Principal getAuthentication(); }
                interface SecurityContextHolder {
                  static SecurityContext getContext() { throw new IllegalStateException(); }
                }
                """))
        .isEmpty();
  }

  @Test
  void everyBlockCompiles() throws IOException {
    List<String> blocks = PageJava.blocks(Path.of("../docs/spring.md"));

    assertThat(blocks).hasSizeGreaterThanOrEqualTo(5);
    assertThat(SURROUNDINGS)
        .allMatch(each -> blocks.stream().anyMatch(block -> block.contains(each.text())));
    for (String block : blocks) {
      List<String> imports = new ArrayList<>(IMPORTS);
      StringBuilder members = new StringBuilder();
      for (Surroundings each : SURROUNDINGS) {
        if (block.contains(each.text())) {
          imports.addAll(each.imports());
          members.append(each.members());
        }
      }
      assertThat(PageJava.errors(block, imports, members.toString())).isEmpty();
    }
  }
}
