package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pools;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

/** What applications install into their database, and the pools that they use there. */
@Tag("database")
class DatabaseTest {
  private static final Catalog PORTS =
      new Catalog(
          "shop", List.of(), List.of(PoolSpec.of("ports", List.of(Block.parse("8000..8009")))));

  /** Ports are in the first database, phones in the other. */
  private static final Catalog TWO_DATABASES =
      new Catalog(
          new NamespaceSpec("shop", Optional.empty(), List.of()),
          List.of(),
          List.of(
              PoolSpec.of("ports", List.of(Block.parse("8000..8009"))),
              PoolSpec.of("doors", List.of(Block.parse("1..3")))
                  .withDatabase(Optional.of("global")),
              PoolSpec.of("phones", List.of(Block.parse("100..149")))
                  .withDatabase(Optional.of("eu"))),
          List.of(),
          List.of(),
          List.of("global", "eu"));

  /** Cars get their blocks from the other database, and are declared first. */
  private static final Catalog SUPPLIED =
      new Catalog(
          new NamespaceSpec("shop", Optional.empty(), List.of()),
          List.of(),
          List.of(
              PoolSpec.of("cars", new PoolSpec.Source("plates", 5))
                  .withLease(Duration.ofSeconds(2))
                  .withDatabase(Optional.of("global")),
              PoolSpec.of("plates", List.of(Block.parse("1..1000 by 10")))
                  .withLease(Duration.ofSeconds(8))
                  .withQuarantine(Duration.ofSeconds(2))
                  .withDatabase(Optional.of("eu"))),
          List.of(),
          List.of(),
          List.of("global", "eu"));

  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                FlywayAutoConfiguration.class,
                MintmarkAutoConfiguration.class,
                MintmarkCatalogAutoConfiguration.class,
                MintmarkMasksAutoConfiguration.class,
                MintmarkDatabaseAutoConfiguration.class,
                MintmarkPoolsAutoConfiguration.class))
        .withPropertyValues(
            "spring.flyway.enabled=false",
            "spring.datasource.url=jdbc:postgresql://localhost:%d/%s?user=postgres"
                .formatted(database.port(), database.name()));
  }

  private ApplicationContextRunner withPorts() {
    return application().withBean(Catalog.class, () -> PORTS);
  }

  private static FailureAnalysis analysis(@Nullable Throwable failure) {
    return Objects.requireNonNull(
        new StartFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Patience.MAX.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static boolean isSweeping() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("mintmark-sweep"));
  }

  @Test
  void migrationsOfTheApplicationMayUseThePack() {
    ApplicationContextRunner application =
        application()
            .withPropertyValues(
                "mintmark.pack.install=true",
                "mintmark.pools.install=true",
                "spring.flyway.enabled=true",
                "spring.flyway.locations=classpath:db/user");

    application.run(context -> assertThat(context).hasNotFailed());
    application.run(context -> assertThat(context).hasNotFailed());

    assertThat(database.text("select mintmark.ulid_text(id) from tracks")).hasSize(26);
    assertThat(database.rows("select version from flyway_schema_history where success"))
        .containsExactly(List.of("1"));
    assertThat(database.number("select count(*) from mintmark.pool_migration")).isEqualTo(13);
  }

  @Test
  void nothingIsInstalledUnlessAskedFor() {
    application()
        .run(
            context -> {
              assertThat(context).hasSingleBean(Pools.class);
              assertThat(context.getBean(HikariDataSource.class).isRunning()).isFalse();
            });
    assertThat(database.rows("select from pg_namespace where nspname = 'mintmark'")).isEmpty();
  }

  @Test
  void roleWithoutTheRightIsToldTheCommand() {
    database.execute("create role reader_%s login".formatted(database.name()));

    application()
        .withPropertyValues(
            "mintmark.pack.install=true",
            "spring.datasource.url=jdbc:postgresql://localhost:%1$d/%2$s?user=reader_%2$s"
                .formatted(database.port(), database.name()))
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .startsWith("The SQL pack cannot be installed: ");
              assertThat(analysis.getAction())
                  .contains("'mintmark pack install --database-url URL'");
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void poolsOfTheCatalogAreSweptAndHeard(boolean isLazy) {
    AtomicReference<Boolean> sweptAtClose = new AtomicReference<>();
    ApplicationContextRunner application =
        withPorts()
            .withBean(DataSource.class, () -> watched(sweptAtClose))
            .withPropertyValues(
                "mintmark.pools.install=true", "mintmark.pools.sweep-interval=100ms");
    if (isLazy) {
      application =
          application.withInitializer(
              context ->
                  context.addBeanFactoryPostProcessor(
                      new LazyInitializationBeanFactoryPostProcessor()));
    }

    application.run(
        context -> {
          Pools pools = context.getBean(Pools.class);
          assertThat(pools.open("ports").claim(ClaimRequest.of("vm-1")))
              .isInstanceOf(ClaimResult.Granted.class);
          await(pools::isListening);
          await(
              () ->
                  database.number(
                          "select count(*) from mintmark.pool_sweep where isfinite(swept_at)")
                      == 1);
          assertThat(isSweeping()).isTrue();
        });

    assertThat(sweptAtClose).hasValue(false);
  }

  /** Of another database than that of the application's data source, for example. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void poolsOfTheApplicationListenByThemselves(boolean listens) {
    TestDatabase other = TestServer.NEWEST.createDatabase();
    other.migratePools();

    withPorts()
        .withBean(
            Pools.class,
            () -> {
              Pools pools = Pools.over(other.dataSource());
              if (listens) {
                pools.listenThrough(other.dataSource());
              }
              return pools;
            })
        .run(
            context -> {
              Pools pools = context.getBean(Pools.class);
              assertThat(pools.names()).containsExactly("ports");
              if (listens) {
                await(pools::isListening);
              } else {
                pools.listenThrough(other.dataSource());
              }
            });
  }

  @Test
  void ofTwoDataSourcesThePrimaryHasThePools() {
    TestDatabase other = TestServer.NEWEST.createDatabase();
    ApplicationContextRunner application =
        withPorts()
            .withBean("other", DataSource.class, () -> other.dataSource())
            .withPropertyValues("mintmark.pools.install=true");

    application
        .withBean(
            "shop",
            DataSource.class,
            () -> database.dataSource(),
            definition -> definition.setPrimary(true))
        .run(context -> assertThat(context).hasSingleBean(Pools.class));
    assertThat(database.number("select count(*) from mintmark.pool")).isEqualTo(1);
    assertThat(other.rows("select from pg_namespace where nspname = 'mintmark'")).isEmpty();

    application
        .withBean("shop", DataSource.class, () -> database.dataSource())
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean(Pools.class);
              assertThat(context).doesNotHaveBean(PoolsLifecycle.class);
            });
  }

  @Test
  void operatorsSeePoolsAndTheCatalog() {
    database.migratePools();

    withPorts()
        .withConfiguration(AutoConfigurations.of(MintmarkActuatorAutoConfiguration.class))
        .withPropertyValues("management.endpoints.web.exposure.include=*")
        .run(
            context -> {
              context.getBean(Pools.class).open("ports").claim(ClaimRequest.of("vm-1"));
              SimpleMeterRegistry meters = new SimpleMeterRegistry();
              context.getBean(PoolMeters.class).bindTo(meters);

              Health health =
                  Objects.requireNonNull(context.getBean(PoolsHealth.class).health(true));
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails().get("ports"))
                  .hasToString("{free=9, held=1, quarantined=0}");
              assertThat(
                      meters
                          .get("mintmark.pool.values")
                          .tags("pool", "ports", "state", "free")
                          .gauge()
                          .value())
                  .isEqualTo(9);
              assertThat(new CatalogEndpoint(PORTS).catalog())
                  .hasToString("{namespace=shop, collections={}, pools=[ports]}");
            });
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void poolsOfOtherDatabasesAreLeftOut(CapturedOutput log) {
    application()
        .withBean(Catalog.class, () -> TWO_DATABASES)
        .withConfiguration(AutoConfigurations.of(MintmarkActuatorAutoConfiguration.class))
        .withPropertyValues("mintmark.pools.install=true")
        .run(
            context -> {
              assertThat(context.getBean(Pools.class).names()).containsExactly("doors", "ports");
              assertThat(poolsOfHealth(context)).containsExactlyInAnyOrder("doors", "ports");
              assertThat(poolsOfMeters(context)).containsExactlyInAnyOrder("doors", "ports");
            });
    assertThat(log)
        .containsOnlyOnce("not used")
        .contains("pool \"phones\": not used, because it is in the database \"eu\"");

    application()
        .withBean(Catalog.class, () -> TWO_DATABASES)
        .withPropertyValues("mintmark.pools.declare=false")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void poolsOfSeveralDatabasesAreDeclaredAcrossThem() {
    TestDatabase eu = TestServer.NEWEST.createDatabase();
    eu.migratePools();
    ApplicationContextRunner application =
        application()
            .withBean(Catalog.class, () -> TWO_DATABASES)
            .withBean(
                "across",
                Pools.class,
                () ->
                    Pools.across(
                        List.of(
                            Pools.over("global", database.dataSource()),
                            Pools.over("eu", eu.dataSource()))))
            .withConfiguration(AutoConfigurations.of(MintmarkActuatorAutoConfiguration.class))
            .withPropertyValues(
                "mintmark.pools.install=true", "mintmark.pools.sweep-interval=100ms");

    application.run(
        context -> {
          assertThat(context).getBeanNames(Pools.class).containsExactly("across");
          Pools pools = context.getBean(Pools.class);
          assertThat(pools.names()).containsExactly("doors", "phones", "ports");
          assertThat(pools.open("phones").claim(ClaimRequest.of("vm-1")))
              .isInstanceOf(ClaimResult.Granted.class);
          assertThat(poolsOfHealth(context)).containsExactlyInAnyOrder("doors", "phones", "ports");
          assertThat(poolsOfMeters(context)).containsExactlyInAnyOrder("doors", "phones", "ports");
          await(
              () ->
                  eu.number("select count(*) from mintmark.pool_sweep where isfinite(swept_at)")
                      == 1);
        });

    assertThat(namesIn(database)).containsExactly(List.of("doors"), List.of("ports"));
    assertThat(namesIn(eu)).containsExactly(List.of("phones"));
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void poolsOfADatabaseThatDoesNotAnswerAreDeclaredWhenItDoes(CapturedOutput log) {
    TestDatabase eu = TestServer.NEWEST.createDatabase();
    eu.migratePools();
    BreakableDataSource toEu = new BreakableDataSource(eu.dataSource());
    toEu.cut();
    Supplier<Pools> globalAndEu =
        () ->
            Pools.across(
                List.of(
                    Pools.over("global", database.dataSource()),
                    Pools.over("eu", toEu.dataSource())));
    ApplicationContextRunner application =
        application()
            .withBean(Catalog.class, () -> TWO_DATABASES)
            .withConfiguration(AutoConfigurations.of(MintmarkActuatorAutoConfiguration.class))
            .withPropertyValues("mintmark.pools.install=true");

    // New pools wait for all databases.
    application
        .withBean(Pools.class, globalAndEu)
        .run(
            context -> {
              Pools pools = context.getBean(Pools.class);
              assertThat(pools.names()).isEmpty();
              toEu.mend();
              await(() -> pools.names().equals(List.of("doors", "phones", "ports")));
            });
    toEu.cut();
    application
        .withBean(Pools.class, globalAndEu)
        .run(
            context -> {
              Pools pools = context.getBean(Pools.class);
              assertThat(pools.open("ports").claim(ClaimRequest.of("vm-1")))
                  .isInstanceOf(ClaimResult.Granted.class);
              Health health = context.getBean(PoolsHealth.class).health(true);
              assertThat(Objects.requireNonNull(health).getStatus()).isEqualTo(Status.UP);
              assertThat(String.valueOf(health.getDetails().get("phones"))).contains("error");
              toEu.mend();
              await(() -> log.toString().contains("pool \"phones\": prepared"));
            });
    toEu.cut();
    application
        .withBean(
            Pools.class,
            () ->
                Pools.across(
                    List.of(
                        Pools.over("eu", toEu.dataSource()),
                        Pools.over("global", database.dataSource()))))
        .run(context -> assertThat(context).hasFailed());
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void poolsThatCannotBeSuppliedAreLoggedAndTheApplicationStaysHealthy(CapturedOutput log) {
    TestDatabase eu = TestServer.NEWEST.createDatabase();
    eu.migratePools();
    BreakableDataSource toEu = new BreakableDataSource(eu.dataSource());
    toEu.cut();

    application()
        .withBean(Catalog.class, () -> SUPPLIED)
        .withBean(
            Pools.class,
            () ->
                Pools.across(
                    List.of(
                        Pools.over("global", database.dataSource()),
                        Pools.over("eu", toEu.dataSource()))))
        .withConfiguration(AutoConfigurations.of(MintmarkActuatorAutoConfiguration.class))
        .withPropertyValues("mintmark.pools.install=true", "mintmark.pools.sweep-interval=100ms")
        .run(
            context -> {
              Pools pools = context.getBean(Pools.class);
              toEu.mend();
              await(() -> log.toString().contains("pool \"cars\": prepared"));
              await(
                  () ->
                      pools.open("cars").claim(ClaimRequest.of("vm-1"))
                          instanceof ClaimResult.Granted);
              toEu.cut();
              await(() -> log.toString().contains("supply of pools failed"));
              assertThat(poolsOfHealth(context)).containsExactlyInAnyOrder("cars", "plates");
              toEu.mend();
              await(() -> log.toString().contains("supply of pools succeeded again"));
            });
    assertThat(log).containsOnlyOnce("supply of pools failed (failures=1, ");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void poolsThatDoNotHaveADatabaseOfTheCatalogLeaveItsPoolsOut(CapturedOutput log) {
    TestDatabase eu = TestServer.NEWEST.createDatabase();
    eu.migratePools();

    application()
        .withBean(Catalog.class, () -> TWO_DATABASES)
        .withBean(Pools.class, () -> Pools.across(List.of(Pools.over("eu", eu.dataSource()))))
        .run(context -> assertThat(context.getBean(Pools.class).names()).containsExactly("phones"));
    assertThat(log).contains("pool \"ports\": not used, because it is in the database \"global\"");
  }

  private static List<List<String>> namesIn(TestDatabase database) {
    return database.rows("select name from mintmark.pool order by name");
  }

  private static Set<String> poolsOfHealth(ApplicationContext context) {
    Health health = Objects.requireNonNull(context.getBean(PoolsHealth.class).health(true));
    assertThat(health.getStatus()).isEqualTo(Status.UP);
    return health.getDetails().keySet();
  }

  private static Set<String> poolsOfMeters(ApplicationContext context) {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    context.getBean(PoolMeters.class).bindTo(meters);
    return meters.getMeters().stream()
        .map(meter -> meter.getId().getTag("pool"))
        .collect(Collectors.toSet());
  }

  /** Notes whether the sweeper still runs when the connections are closed. */
  private HikariDataSource watched(AtomicReference<Boolean> sweptAtClose) {
    HikariDataSource watched =
        new HikariDataSource() {
          @Override
          public void close() {
            sweptAtClose.set(isSweeping());
            super.close();
          }
        };
    watched.setDataSource(database.dataSource());
    return watched;
  }

  @Test
  void missingTablesFailTheStartWithTheCommand() {
    withPorts()
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription()).contains("their tables are missing");
              assertThat(analysis.getAction())
                  .contains("'mintmark pool schema | psql URL'")
                  .contains("mintmark.pools.install=true");
            });
  }

  @Test
  void missingPoolFailsTheStartIfPoolsAreNotDeclared() {
    database.migratePools();

    withPorts()
        .withPropertyValues("mintmark.pools.declare=false")
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getAction())
                    .contains("'mintmark pool create'"));
  }
}
