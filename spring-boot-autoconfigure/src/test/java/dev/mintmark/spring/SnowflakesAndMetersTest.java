package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.Keyring;
import dev.mintmark.Mint;
import dev.mintmark.MintOptions;
import dev.mintmark.NumberRange;
import dev.mintmark.Order;
import dev.mintmark.PoolSpec;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.pool.ClaimListener;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.LeasedSnowflakes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Leased worker numbers, observations of claims and the lag of pages. */
@Tag("database")
class SnowflakesAndMetersTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(),
          List.of(
              PoolSpec.of("workers", List.of(new NumberRange(7, 8)))
                  .withLease(Duration.ofMinutes(5)),
              PoolSpec.of("words", List.of(Block.parse("1..3"))),
              PoolSpec.of("ports", List.of(Block.parse("8000..8001")))));

  private static final SnowflakeLayout LAYOUT =
      SnowflakeLayout.DISCORD.withEpoch(Instant.parse("2025-01-01T00:00:00Z"));

  @BeforeAll
  static void migrate() {
    DATABASE.migratePools();
  }

  private static ApplicationContextRunner application() {
    return application(DATABASE::dataSource);
  }

  private static ApplicationContextRunner application(Supplier<DataSource> dataSource) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                MintmarkAutoConfiguration.class,
                MintmarkCatalogAutoConfiguration.class,
                MintmarkMasksAutoConfiguration.class,
                MintmarkPoolsAutoConfiguration.class,
                MintmarkSnowflakesAutoConfiguration.class,
                MintmarkObservationsAutoConfiguration.class))
        .withBean(Catalog.class, () -> CATALOG)
        .withBean(DataSource.class, dataSource)
        .withPropertyValues("mintmark.pools.listen=false", "mintmark.pools.sweep=false");
  }

  private static ApplicationContextRunner withWorkers(Supplier<DataSource> dataSource) {
    return application(dataSource)
        .withPropertyValues(
            "mintmark.snowflakes.pool=workers",
            "mintmark.snowflakes.layout=discord",
            "mintmark.snowflakes.epoch=2025-01-01T00:00:00Z",
            "spring.application.name=billing");
  }

  private static FailureAnalysis analysis(@Nullable Throwable failure) {
    return Objects.requireNonNull(
        new StartFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
  }

  private static String owner(LeasedSnowflakes mint) {
    try (Pools pools = Pools.over(DATABASE.dataSource())) {
      return pools.open("workers").find(Integer.toString(mint.node())).orElseThrow().client();
    }
  }

  private static long held() {
    try (Pools pools = Pools.over(DATABASE.dataSource())) {
      return pools.open("workers").stats().total().held().longValueExact();
    }
  }

  @Test
  void instancesHoldWorkerNumbersOfTheirOwnUntilTheyStop() {
    AtomicReference<Long> heldAtClose = new AtomicReference<>();
    withWorkers(DATABASE::dataSource)
        .run(
            first -> {
              LeasedSnowflakes mint = first.getBean(LeasedSnowflakes.class);
              Snowflake id = mint.mint();
              assertThat(id.node(LAYOUT)).isEqualTo(mint.node()).isBetween(7, 8);
              assertThat(owner(mint)).contains("billing");

              withWorkers(() -> watched(heldAtClose))
                  .run(
                      second -> {
                        assertThat(second.getBean(LeasedSnowflakes.class).node())
                            .isEqualTo(15 - mint.node());
                        withWorkers(DATABASE::dataSource)
                            .run(
                                third ->
                                    assertThat(analysis(third.getStartupFailure()).getDescription())
                                        .startsWith("No worker number is free"));
                      });
            });

    assertThat(heldAtClose).hasValue(1L);
    assertThat(held()).isZero();
  }

  /** Needs a number before the beans of Mintmark are made. */
  @Configuration(proxyBeanMethods = false)
  static class Counter {
    @Bean
    static Integer node(LeasedSnowflakes mint) {
      return mint.node();
    }
  }

  @Test
  void numbersOfPoolsThatTheApplicationMakesAreDeclaredFirst() {
    TestDatabase empty = TestServer.NEWEST.createDatabase();
    empty.migratePools();

    withWorkers(empty::dataSource)
        .withBean("own", Pools.class, () -> Pools.over(empty.dataSource()))
        .withUserConfiguration(Counter.class)
        .run(context -> assertThat(context.getBean(Integer.class)).isBetween(7, 8));
  }

  /** Notes how many numbers are held when its connections are closed. */
  private static HikariDataSource watched(AtomicReference<Long> heldAtClose) {
    HikariDataSource watched =
        new HikariDataSource() {
          @Override
          public void close() {
            heldAtClose.compareAndSet(null, held());
            super.close();
          }
        };
    watched.setDataSource(DATABASE.dataSource());
    return watched;
  }

  @Test
  void nothingIsLeasedUnlessThePoolIsNamed() {
    application().run(context -> assertThat(context).doesNotHaveBean(LeasedSnowflakes.class));
  }

  @Test
  void poolThatDoesNotFitFailsTheStartWithTheRemedy() {
    application()
        .withPropertyValues("mintmark.snowflakes.pool=absent")
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getAction())
                    .contains("pools: { absent: { range: 0..1023, lease: 30s } }"));
    application()
        .withPropertyValues("mintmark.snowflakes.pool=words")
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getDescription())
                    .startsWith("The pool of mintmark.snowflakes.pool, words, does not fit"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1900-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "2025-01-01T00:00:00.0001Z"})
  void epochThatCannotBeOneFailsTheStartWithTheRemedy(String epoch) {
    withWorkers(DATABASE::dataSource)
        .withPropertyValues("mintmark.snowflakes.epoch=" + epoch)
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .isEqualTo("mintmark.snowflakes.epoch is %s.".formatted(Instant.parse(epoch)));
              assertThat(analysis.getAction()).contains("from 1970 until now");
            });
  }

  @Test
  void applicationWithAnEmptyNameOwnsItsNumber() {
    withWorkers(DATABASE::dataSource)
        .withPropertyValues("spring.application.name=")
        .run(
            context ->
                assertThat(owner(context.getBean(LeasedSnowflakes.class))).contains("application"));
  }

  @Test
  void sweepIntervalThatIsTooShortFailsTheStartWithTheRemedy() {
    application()
        .withPropertyValues("mintmark.pools.sweep-interval=10ms")
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .isEqualTo("mintmark.pools.sweep-interval is 10ms.");
              assertThat(analysis.getAction()).isEqualTo("Set it to 100ms or more.");
            });
  }

  private static ApplicationContextRunner observed(MeterRegistry meters) {
    return application()
        .withBean(
            ObservationRegistry.class,
            () -> {
              ObservationRegistry registry = ObservationRegistry.create();
              registry
                  .observationConfig()
                  .observationHandler(new DefaultMeterObservationHandler(meters));
              return registry;
            });
  }

  @Test
  void claimsAreObservedWithTheirOutcome() {
    MeterRegistry meters = new SimpleMeterRegistry();
    observed(meters)
        .run(
            context -> {
              Pool ports = context.getBean(Pools.class).open("ports");
              for (String client : List.of("vm-1", "vm-1", "vm-2", "vm-3", "vm-4")) {
                ports.claim(ClaimRequest.of(client));
              }
            });

    assertThat(claims(meters, "granted")).isEqualTo(2);
    assertThat(claims(meters, "already-held")).isEqualTo(1);
    assertThat(claims(meters, "exhausted")).isEqualTo(2);
  }

  @Test
  void aListenerOfTheApplicationIsKept() {
    MeterRegistry meters = new SimpleMeterRegistry();
    List<String> claimed = new ArrayList<>();
    ClaimListener listener =
        pool -> {
          claimed.add(pool);
          return new ClaimListener.Begun() {
            @Override
            public void ended(ClaimResult result) {}

            @Override
            public void failed(Throwable failure) {}
          };
        };
    Supplier<Pools> own =
        () -> {
          Pools pools = Pools.over(DATABASE.dataSource());
          pools.reportClaims(listener);
          return pools;
        };

    observed(meters)
        .withBean("own", Pools.class, own)
        .run(context -> context.getBean(Pools.class).open("words").claim(ClaimRequest.of("vm-1")));

    assertThat(claimed).containsExactly("words");
    assertThat(meters.find("mintmark.pool.claim").timer()).isNull();
  }

  private static long claims(MeterRegistry meters, String outcome) {
    return meters
        .get("mintmark.pool.claim")
        .tags("pool", "ports", "outcome", outcome)
        .timer()
        .count();
  }

  @Test
  void lagOfPagesIsThatOfTheOldestTransaction() throws SQLException {
    DATABASE.execute(
        "create table incidents (number int primary key, xid xid8 not null default pg_current_xact_id(), unique (xid, number))");
    KeysetPages<Integer> pages =
        KeysetPages.of("incidents")
            .orderedBy(PageOrder.byTransaction("xid", "number"))
            .signedWith(Keyring.parse("a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="))
            .reading(List.of("number"), row -> row.getInt("number"));
    try (Connection open = DATABASE.dataSource().getConnection();
        Statement statement = open.createStatement()) {
      open.setAutoCommit(false);
      statement.execute("insert into incidents values (1)");
      statement.execute("select pg_sleep(0.02)");

      application()
          .withBean("incidents", KeysetPages.class, () -> pages)
          .run(
              context -> {
                SimpleMeterRegistry meters = new SimpleMeterRegistry();
                context.getBean(PageMeters.class).bindTo(meters);
                assertThat(
                        meters.get("mintmark.page.lag").tag("pages", "incidents").gauge().value())
                    .isGreaterThan(0.01);
              });
    }
  }

  @Test
  void theDriftOfAMintThatIsUsedIsAMeter() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                MintmarkAutoConfiguration.class, MintmarkObservationsAutoConfiguration.class))
        .withBean(SimpleMeterRegistry.class)
        .withBean("ahead", Mint.class, SnowflakesAndMetersTest::ahead)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(SimpleMeterRegistry.class);

              assertThat(registry.find("mintmark.mint.drift").timeGauges())
                  .singleElement()
                  .satisfies(
                      gauge -> {
                        assertThat(gauge.getId().getTag("mint")).isEqualTo("ahead");
                        assertThat(gauge.value(TimeUnit.SECONDS)).isEqualTo(60);
                      });
            });
  }

  /** A mint whose clock has stepped back by a minute. */
  private static Mint<Ulid> ahead() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2025-01-01T00:01:00Z"));
    Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING, MintOptions.DEFAULT.withClock(() -> now.get()));
    mint.mint();
    now.set(Instant.parse("2025-01-01T00:00:00Z"));
    return mint;
  }
}
