package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.entities.Paged;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.util.Objects;
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

/** Entities whose ids the server mints, with and without the SQL pack. */
@Tag("hibernate")
@Tag("database")
class ServerMintCheckTest {
  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  @Configuration(proxyBeanMethods = false)
  @EntityScan(basePackageClasses = Paged.class)
  static class WithServerMints {}

  @Configuration(proxyBeanMethods = false)
  @EntityScan(basePackageClasses = ServerMintCheckTest.class)
  static class WithoutServerMints {}

  private ApplicationContextRunner application(Class<?> entities) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                HibernateJpaAutoConfiguration.class,
                MintmarkAutoConfiguration.class,
                MintmarkHibernateTypesAutoConfiguration.class,
                MintmarkDatabaseAutoConfiguration.class,
                MintmarkServerMintsAutoConfiguration.class))
        .withUserConfiguration(entities)
        .withBean(DataSource.class, () -> database.dataSource());
  }

  private static FailureAnalysis analysis(@Nullable Throwable failure) {
    return Objects.requireNonNull(
        new StartFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
  }

  @Test
  void missingPackFailsTheStartWithTheCommand() {
    application(WithServerMints.class)
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .contains(" is minted by the server, and the SQL pack cannot be used: ")
                  .contains("the SQL pack is not installed in schema mintmark");
              assertThat(analysis.getAction())
                  .contains("'mintmark pack install --database-url URL'")
                  .contains("mintmark.pack.install=true");
            });
  }

  @Test
  void packIsInstalledBeforeTheCheckAndUsableByOthersOnlyWithTheRight() {
    application(WithServerMints.class)
        .withPropertyValues("mintmark.pack.install=true")
        .run(context -> assertThat(context).hasNotFailed());

    String role = "minter_" + database.name();
    database.execute(
        "create role %s login; revoke all on schema mintmark from public".formatted(role));
    application(WithServerMints.class)
        .withBean(
            "primary", DataSource.class, () -> database.dataSource(role), it -> it.setPrimary(true))
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getDescription())
                    .contains("permission denied for schema mintmark"));
  }

  @Test
  void nothingIsCheckedWithoutServerMints() {
    application(WithoutServerMints.class).run(context -> assertThat(context).hasNotFailed());
  }
}
