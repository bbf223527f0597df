package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.PoolUsage.Sample;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How full a pool was, over time. Rows are moved into the past, as if time had passed. */
@Tag("database")
class PoolUsageTest {
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.DAYS);

  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());
  private final UsageLog log = new UsageLog(PoolDatabase.of(database.dataSource()));

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void aSweepRecordsEachPoolOnceAMinute() {
    Pool pool = create("p", "10.0.0.0/29");
    create("other", "1..3");
    pool.claim(ClaimRequest.of("a").withValue("10.0.0.1"));
    pool.quarantine("10.0.0.6", Duration.ofHours(1));

    pools.sweep();
    // The clock may pass a full minute between the two.
    log.record();
    log.record();

    assertThat(database.number("select count(*) from mintmark.pool_usage where span = 'minute'"))
        .isBetween(2L, 4L);
    PoolUsage usage = lately(pool);
    assertThat(usage.step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(usage.samples())
        .isNotEmpty()
        .allSatisfy(
            sample -> {
              assertThat(sample.held()).isEqualTo(1);
              assertThat(sample.quarantined()).isEqualTo(1);
              assertThat(sample.capacity()).isEqualTo(6);
              assertThat(sample.free()).isEqualTo(4);
              assertThat(sample.usedPercent()).isEqualByComparingTo("33.3");
            });
  }

  @Test
  void anHourIsThatOfItsFullestMinute() {
    Pool pool = create("p", "1..10");
    pool.claim(ClaimRequest.of("a").withValue("1"));
    log.record();
    fillTheHour("p", 1, 0);
    Claim second = ((ClaimResult.Granted) pool.claim(ClaimRequest.of("b").withValue("2"))).claim();
    log.record();
    fillTheHour("p", 1, 9);
    pool.release(second.value(), second.token());
    log.record();

    assertThat(database.rows("select max(held) from mintmark.pool_usage where span = 'hour'"))
        .hasToString("[[2]]");
  }

  /** Moves the minute that was recorded last into the past, so that the next one is recorded. */
  private void fillTheHour(String pool, int minutes, int moved) {
    database.execute(
        """
        update mintmark.pool_usage
        set at = at - interval '1 minute' * %d
        where span = 'minute' and pool_id = (select pool_id from mintmark.pool where name = '%s')
          and at = (select max(at) from mintmark.pool_usage where span = 'minute')
        """
            .formatted(minutes + moved, pool));
  }

  @Test
  void theFullestMinuteOfAStepStandsForIt() {
    Pool pool = create("p", "1..10");
    insert("minute", now, 3);
    insert("minute", now.plus(Duration.ofMinutes(3)), 9);
    insert("minute", now.plus(Duration.ofMinutes(4)), 5);
    insert("minute", now.plus(Duration.ofMinutes(11)), 2);

    PoolUsage usage = pool.survey().usage(now, now.plus(Duration.ofMinutes(20)), 5);

    assertThat(usage.step()).isEqualTo(Duration.ofMinutes(10));
    assertThat(usage.samples())
        .containsExactly(sample(now, 9), sample(now.plus(Duration.ofMinutes(10)), 2));
  }

  @Test
  void hoursStandInWhereMinutesAreNotKept() {
    Pool pool = create("p", "1..10");
    Instant early = now.minus(Duration.ofHours(60));
    insert("hour", early, 7);
    insert("hour", now, 8);
    insert("minute", now.plus(Duration.ofMinutes(30)), 8);

    PoolUsage usage = pool.survey().usage(early, now.plus(Duration.ofHours(1)), 100);

    assertThat(usage.step()).isEqualTo(Duration.ofHours(1));
    assertThat(usage.samples()).containsExactly(sample(early, 7), sample(now, 8));
    assertThat(pool.survey().usage(now, now.plus(Duration.ofHours(1)), 100).samples())
        .as("the minute, not its hour")
        .containsExactly(sample(now.plus(Duration.ofMinutes(30)), 8));
    database.execute("delete from mintmark.pool_usage where span = 'minute'");
    assertThat(pool.survey().usage(early, now.plus(Duration.ofHours(1)), 100)).isEqualTo(usage);
  }

  @Test
  void samplesAreAtMostAsManyAsAskedFor() {
    Pool pool = create("p", "1..10");
    database.execute(
        """
        insert into mintmark.pool_usage
        select pool_id, 'minute', at, 1, 0, 9, 10
        from mintmark.pool
        cross join generate_series(
          timestamptz '%1$s', timestamptz '%1$s' + interval '5 hours', interval '1 minute') as at
        """
            .formatted(now));

    for (int samples : new int[] {1, 2, 3, 10, 61, 100, 299, 1_000}) {
      Instant from = now.plus(Duration.ofSeconds(59));
      PoolUsage usage = pool.survey().usage(from, from.plus(Duration.ofMinutes(299)), samples);
      assertThat(usage.samples()).as("%d samples", samples).hasSizeBetween(1, samples);
    }
  }

  @Test
  void samplesOfAYearAreAtMostAsManyAsAskedFor() {
    Pool pool = create("p", "1..10");
    Instant from = now.minus(PoolSurvey.HOURS_KEPT).plusSeconds(1);
    database.execute(
        """
        insert into mintmark.pool_usage
        select pool_id, 'hour', at, 1, 0, 9, 10
        from mintmark.pool
        cross join generate_series(timestamptz '%s', '%s', interval '12 hours') as at
        """
            .formatted(from, now));

    for (int samples : new int[] {1, 2, 3, 5, 6, 14, 15, 16, 100}) {
      PoolUsage usage = pool.survey().usage(from, now, samples);
      assertThat(usage.samples()).as("%d samples", samples).hasSizeBetween(1, samples);
    }
    PoolUsage whole = pool.survey().usage(from, now, 1);
    assertThat(whole.step()).isEqualTo(PoolSurvey.HOURS_KEPT);
    assertThat(whole.samples()).containsExactly(sample(from, 1));
  }

  @Test
  void whatIsOldIsDeleted() {
    create("p", "1..10");
    insert("minute", Instant.now().minus(Duration.ofHours(47)), 1);
    insert("minute", Instant.now().minus(Duration.ofHours(50)), 1);
    insert("hour", Instant.now().minus(Duration.ofDays(399)), 1);
    insert("hour", Instant.now().minus(Duration.ofDays(401)), 1);

    PoolSweep.ofAll(PoolDatabase.of(database.dataSource()), id -> {}).pruneIfDue();

    assertThat(
            database.rows("select span, count(*) from mintmark.pool_usage group by 1 order by 1"))
        .hasToString("[[hour, 1], [minute, 1]]");
  }

  @Test
  void aDeletedPoolLeavesNone() {
    create("p", "1..10");
    log.record();

    assertThat(pools.delete("p")).isTrue();

    assertThat(database.number("select count(*) from mintmark.pool_usage")).isZero();
  }

  @Test
  void aQuestionThatMakesNoSenseIsRejected() {
    PoolSurvey survey = create("p", "1..10").survey();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.usage(now, now, 10))
        .withMessageContaining("expected a time after the first");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.usage(now, now.plus(Duration.ofDays(401)), 10))
        .withMessageContaining("at most 400d later");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.usage(now, now.plusSeconds(1), 1_001))
        .withMessage("samples is 1001: expected 1 to 1000");
  }

  @Test
  void aShareIsRoundedDown() {
    assertThat(PoolUsage.usedPercent(BigInteger.ONE, BigInteger.valueOf(2_000)))
        .isEqualByComparingTo("99.9");
    assertThat(PoolUsage.usedPercent(BigInteger.ZERO, BigInteger.TEN)).isEqualByComparingTo("100");
    assertThat(PoolUsage.usedPercent(BigInteger.ZERO, BigInteger.ZERO)).isZero();
  }

  private static PoolUsage lately(Pool pool) {
    Instant now = Instant.now();
    return pool.survey()
        .usage(now.minus(Duration.ofMinutes(30)), now.plus(Duration.ofMinutes(5)), 100);
  }

  private static Sample sample(Instant at, long held) {
    return new Sample(
        at,
        BigInteger.valueOf(held),
        BigInteger.ZERO,
        BigInteger.valueOf(10 - held),
        BigInteger.TEN);
  }

  private void insert(String span, Instant at, int held) {
    database.execute(
        "insert into mintmark.pool_usage select pool_id, '%s', '%s', %d, 0, %d, 10 from mintmark.pool"
            .formatted(span, at, held, 10 - held));
  }

  private Pool create(String name, String block) {
    assertThat(pools.create(PoolSpec.of(name, List.of(Block.parse(block))))).isTrue();
    return pools.open(name);
  }
}
