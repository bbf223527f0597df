package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.IdType;
import dev.mintmark.Mint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** The starter without each of the libraries that are optional, and without all of them. */
class OptionalLibrariesTest {
  private static Class<?>[] ours() {
    List<Class<?>> classes = new ArrayList<>();
    for (String name :
        ImportCandidates.load(
            AutoConfiguration.class, OptionalLibrariesTest.class.getClassLoader())) {
      if (name.startsWith("dev.mintmark.")) {
        try {
          classes.add(Class.forName(name));
        } catch (ClassNotFoundException e) {
          throw new AssertionError(e);
        }
      }
    }
    return classes.toArray(Class<?>[]::new);
  }

  @Test
  void everyConfigurationIsListed() {
    assertThat(ours()).hasSize(17);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "tools.jackson",
        "org.springframework.web.servlet",
        "org.springframework.web.reactive",
        "org.springframework.boot.http.converter",
        "org.springframework.boot.actuate",
        "org.springframework.boot.health",
        "io.micrometer",
        "org.hibernate",
        "jakarta.persistence",
        "org.springframework.boot.sql",
        "javax.sql",
        "dev.mintmark.postgres",
        "dev.mintmark.catalog",
        "dev.mintmark.jackson",
        "tools.jackson,org.springframework.web,jakarta,org.springframework.boot.http,"
            + "org.springframework.boot.actuate,org.springframework.boot.health,io.micrometer,"
            + "org.springframework.boot.sql,org.springframework.jdbc,org.hibernate,"
            + "dev.mintmark.postgres,dev.mintmark.catalog,dev.mintmark.jackson"
      })
  void applicationStartsWithout(String packages) {
    FilteredClassLoader loader = new FilteredClassLoader(packages.split(",", -1));

    new ApplicationContextRunner()
        .withClassLoader(loader)
        .withConfiguration(AutoConfigurations.of(ours()))
        .withBean(Catalog.class, () -> new Catalog("shop", List.of(), List.of()))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBeansOfType(Mint.class)).hasSize(2);
              assertThat(context).doesNotHaveBean(IdType.class);
            });
    if (!packages.contains("org.springframework.web")) {
      new ReactiveWebApplicationContextRunner()
          .withClassLoader(loader)
          .withConfiguration(AutoConfigurations.of(ours()))
          .withBean(Catalog.class, () -> new Catalog("shop", List.of(), List.of()))
          .run(context -> assertThat(context).hasSingleBean(ReactiveIdProblems.class));
      new WebApplicationContextRunner()
          .withClassLoader(loader)
          .withConfiguration(AutoConfigurations.of(ours()))
          .withBean(Catalog.class, () -> new Catalog("shop", List.of(), List.of()))
          .run(
              context -> {
                assertThat(context).hasSingleBean(MalformedIdProblems.class);
                assertThat(context.getBeansOfType(BodyPointer.class))
                    .hasSize(packages.contains("jackson") ? 0 : 1);
              });
    }
  }
}
