package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Hibernate without Mintmark's types for it. */
@Tag("database")
class EntityCheckTest {
  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  @Entity(name = "Track")
  static class Track {
    @Id @Nullable UUID id;
    @Nullable Ulid album;
  }

  @Configuration(proxyBeanMethods = false)
  @EntityScan(basePackageClasses = EntityCheckTest.class)
  static class Application {}

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                HibernateJpaAutoConfiguration.class,
                MintmarkAutoConfiguration.class,
                MintmarkHibernateAutoConfiguration.class))
        .withBean(DataSource.class, database::dataSource);
  }

  @Test
  void entityWithAnIdentifierFailsTheStart() {
    application()
        .withUserConfiguration(Application.class)
        .run(
            context -> {
              FailureAnalysis analysis =
                  Objects.requireNonNull(
                      new StartFailureAnalyzer()
                          .analyze(Objects.requireNonNull(context.getStartupFailure())));
              assertThat(analysis.getDescription())
                  .startsWith("The attribute album of " + Track.class.getName());
              assertThat(analysis.getAction()).contains("mintmark-hibernate");
            });
  }
}
