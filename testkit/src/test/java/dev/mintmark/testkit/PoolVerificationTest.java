package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import dev.mintmark.testkit.PoolVerification.Check;
import dev.mintmark.testkit.PoolVerification.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fault checks, on our own pools: nothing is doubled and nothing lost. */
@Tag("long")
class PoolVerificationTest {
  private static final Duration EFFORT = Duration.ofMillis(800);

  private static final List<String> TRANSACTION_MODE =
      List.of("killed-sessions", "cut-connections", "owner-quota", "dead-listener");

  private final TestDatabase database = TestDatabase.create();

  @Test
  void everyCheckPassesAndNoPoolIsLeft() {
    List<Check> told = new ArrayList<>();
    List<Check> checks = verify(database.dataSource(), List.of(), 1, told);

    assertThat(checks).isEqualTo(told);
    assertThat(checks).extracting(Check::name).isEqualTo(PoolVerification.names());
    assertThat(checks)
        .allSatisfy(
            check -> {
              assertThat(check.findings()).as(check.toString()).isEmpty();
              assertThat(check.outcome()).isEqualTo(Outcome.PASSED);
              assertThat(check.figures().get("operations")).isPositive();
              assertThat(check.figures().get("snapshots")).isPositive();
            });
    assertThat(figure(checks, "killed-sessions", "sessions terminated")).isPositive();
    assertThat(figure(checks, "cut-connections", "connections cut")).isPositive();
    assertThat(figure(checks, "cut-connections", "without an answer")).isPositive();
    assertThat(figure(checks, "late-release", "refused")).isEqualTo(2);
    assertThat(figure(checks, "dead-listener", "listeners terminated")).isEqualTo(3);
    assertThat(database.number("select count(*) from mintmark.pool")).isZero();
  }

  @Test
  void everyCheckPassesThroughTheFunctionsOfSql() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(12);
    config.setConnectionTimeout(Patience.MAX.toMillis());
    try (HikariDataSource connections = new HikariDataSource(config);
        PoolVerification verification =
            PoolVerification.over(connections, 3, EFFORT).throughSql()) {
      List<Check> checks = verification.run(List.of(), check -> {});

      assertThat(checks)
          .allSatisfy(check -> assertThat(check.findings()).as(check.toString()).hasSizeLessThan(2))
          .filteredOn(check -> check.outcome() != Outcome.PASSED)
          .extracting(Check::name)
          .containsExactly("dead-listener");
      assertThat(figure(checks, "random-workload", "granted")).isPositive();
      assertThat(figure(checks, "cut-connections", "without an answer")).isPositive();
    }
    assertThat(database.number("select count(*) from mintmark.pool")).isZero();
  }

  @Test
  void checksPassInTransactionModeWhereNobodyListens() {
    try (TestPgBouncer bouncer = TestPgBouncer.before(database, 8)) {
      List<Check> checks = verify(bouncer.dataSource(), TRANSACTION_MODE, 2, new ArrayList<>());

      assertThat(checks)
          .allSatisfy(
              check ->
                  assertThat(check.outcome()).as(check.toString()).isNotEqualTo(Outcome.FAILED));
      assertThat(checks)
          .filteredOn(check -> check.outcome() == Outcome.NOT_AVAILABLE)
          .extracting(Check::name)
          .containsExactly("dead-listener");
      assertThat(figure(checks, "killed-sessions", "sessions terminated")).isPositive();
    }
  }

  @Test
  void workGoesOnUntilItsFaultHasHappened() {
    List<Check> checks =
        verify(
            database.dataSource(),
            List.of("killed-sessions", "cut-connections", "drained-block"),
            Duration.ofNanos(1),
            1,
            new ArrayList<>());

    assertThat(checks)
        .allSatisfy(check -> assertThat(check.findings()).as(check.toString()).isEmpty());
    assertThat(figure(checks, "killed-sessions", "sessions terminated")).isPositive();
    assertThat(figure(checks, "cut-connections", "without an answer")).isPositive();
    assertThat(figure(checks, "drained-block", "changes of the block")).isPositive();
  }

  @Test
  void aCheckThatThereIsNotIsNamedWithThoseThatThereAre() {
    assertThatThrownBy(
            () -> verify(database.dataSource(), List.of("turmoils"), 1, new ArrayList<>()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "no check is called \"turmoils\": expected one of [random-workload, killed-sessions, ");
  }

  @Test
  void aFormerNameOfACheckIsAccepted() {
    List<Check> checks = verify(database.dataSource(), List.of("turmoil"), 1, new ArrayList<>());

    assertThat(checks).extracting(Check::name).containsExactly("random-workload");
  }

  private static List<Check> verify(
      DataSource dataSource, List<String> names, long seed, List<Check> told) {
    return verify(dataSource, names, EFFORT, seed, told);
  }

  private static List<Check> verify(
      DataSource dataSource, List<String> names, Duration effort, long seed, List<Check> told) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(dataSource);
    config.setMaximumPoolSize(12);
    config.setConnectionTimeout(Patience.MAX.toMillis());
    try (HikariDataSource connections = new HikariDataSource(config);
        PoolVerification verification = PoolVerification.over(connections, seed, effort)) {
      return verification.run(names, told::add);
    }
  }

  private static long figure(List<Check> checks, String check, String figure) {
    return checks.stream()
        .filter(one -> one.name().equals(check))
        .map(one -> one.figures().get(figure))
        .findFirst()
        .orElseThrow();
  }
}
