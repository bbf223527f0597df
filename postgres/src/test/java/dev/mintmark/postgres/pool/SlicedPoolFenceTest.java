package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.PoolSpec.AfterFailover;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A slice whose database is taken over by another server, or whose statements take effect after
 * their connection failed. The thread of the slice can be held up before its next statement; a
 * function of the database says on which timeline the server is.
 */
@Tag("long")
class SlicedPoolFenceTest {
  private static final Duration LEASE = Duration.ofMinutes(10);

  private static final SliceOptions OPTIONS = SliceOptions.of("a").withLease(LEASE.plusSeconds(4));

  private static final String RETURNS = "returned as (";
  private static final String GIVES_BUCKETS = "delete from mintmark.pool_bucket";

  private final TestDatabase database = TestDatabase.create();
  private final HikariDataSource connections = database.connectionPool(4);
  private final Pools pools = Pools.over(controlled());
  private final Queue<Failover.Dropped> dropped = new ConcurrentLinkedQueue<>();

  /** Whether the thread of the slice waits before its next statement. */
  private volatile boolean heldUp;

  /** A part of the statements that fail before they are sent; null: none. */
  private volatile @Nullable String failing;

  private final AtomicInteger failures = new AtomicInteger();

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
    connections.close();
  }

  private DataSource controlled() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (Thread.currentThread().getName().startsWith("mintmark-slice-")) {
                Patience.await("the end of the hold-up", () -> !heldUp);
              }
              Object connection = Objects.requireNonNull(invoke(method, connections, arguments));
              return controlled((Connection) connection);
            });
  }

  private Connection controlled(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              String part = failing;
              if (part != null
                  && method.getName().equals("prepareStatement")
                  && arguments[0].toString().contains(part)) {
                failures.incrementAndGet();
                throw new SQLException("cut", "08006");
              }
              return invoke(method, connection, arguments);
            });
  }

  private static @Nullable Object invoke(
      Method method, Object target, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private SlicedPool open(Optional<AfterFailover> conduct) {
    pools.reportFailovers(
        new Failover.Listener() {
          @Override
          public void failedOver(Failover failover) {}

          @Override
          public void settled(Failover.Settled settled) {}

          @Override
          public void dropped(Failover.Dropped one) {
            dropped.add(one);
          }
        });
    pools.create(
        PoolSpec.of("ports", List.of(Block.parse("1..16")))
            .withLease(LEASE)
            .withQuarantine(Duration.ZERO)
            .withAfterFailover(conduct));
    SlicedPool sliced = SlicedPool.open(pools, "ports", OPTIONS);
    Patience.await(
        "a slice", () -> sliced.usage().unused() == 16 && sliced.usage().buckets() == 1_024);
    return sliced;
  }

  private static Claim granted(ClaimResult result) {
    assertThat(result).isInstanceOf(Granted.class);
    return ((Granted) result).claim();
  }

  private long slice() {
    return database.number(
        "select coalesce(max(slice_id), 0) from mintmark.pool_slice where instance = 'a'");
  }

  private void failOver() {
    database.execute(
        "create or replace function mintmark.pool_timeline() returns text language sql as $$select '000000FF'$$");
    pools.sweep();
  }

  /** A second instance that has no buckets and lacks values. */
  private void insertOtherSlice() {
    database.execute(
        "insert into mintmark.pool_slice (pool_id, instance, usable_until, lacking)"
            + " select pool_id, 'b', now() + interval '1 day', 5 from mintmark.pool");
  }

  /** The record of the claim is lost, so that its value is in the slice again. */
  @Test
  void aValueWhoseRecordAFailoverLostIsNotGrantedAgain() {
    try (SlicedPool sliced = open(Optional.empty())) {
      Claim lost = granted(sliced.claim(ClaimRequest.of("vm-1")));
      Patience.await("the record", () -> sliced.usage().unrecorded() == 0);
      long slice = slice();
      heldUp = true;
      database.execute(
          "update mintmark.pool_claim set client = 'slice', slot = -99, slice_id = pool_slice.slice_id,"
              + " expires_at = usable_until from mintmark.pool_slice where token = "
              + lost.token());
      failOver();

      heldUp = false;

      List<String> values = new ArrayList<>();
      Patience.await(
          "the end of the slice",
          () -> {
            try {
              if (sliced.claim(ClaimRequest.of("new-" + values.size()))
                  instanceof Granted granted) {
                values.add(granted.claim().value());
              }
            } catch (PoolUnavailableException e) {
              // The slice has ended.
            }
            return slice() != slice || values.contains(lost.value());
          });
      assertThat(values).doesNotContain(lost.value());
    }
  }

  @Test
  void whatWasGrantedDuringAFailoverIsRecordedInAPoolThatTrusts() {
    try (SlicedPool sliced = open(Optional.of(AfterFailover.TRUST))) {
      long slice = slice();
      heldUp = true;
      Claim claim = granted(sliced.claim(ClaimRequest.of("vm-1")));
      failOver();

      heldUp = false;

      Patience.await("the record", () -> pools.open("ports").find(claim.value()).isPresent());
      assertThat(sliced.renew(claim.value(), claim.token(), Optional.empty()))
          .isInstanceOf(RenewResult.Renewed.class);
      Patience.await("another slice", () -> slice() != slice && sliced.usage().inForce());
      assertThat(pools.open("ports").find(claim.value()).map(Claim::client)).contains("vm-1");
      assertThat(dropped).isEmpty();
      Patience.await("the buckets", () -> sliced.usage().buckets() == 1_024);
    }
  }

  @Test
  void whatWasGrantedDuringAFailoverIsReportedIfThePoolRests() {
    try (SlicedPool sliced = open(Optional.empty())) {
      heldUp = true;
      Claim claim = granted(sliced.claim(ClaimRequest.of("vm-1")));
      granted(sliced.claim(ClaimRequest.of("vm-2")));
      failOver();

      heldUp = false;

      Patience.await("the report", () -> !dropped.isEmpty());
      assertThat(dropped).containsExactly(new Failover.Dropped("ports", 2));
      assertThat(pools.open("ports").find(claim.value())).isEmpty();
    }
  }

  /** A statement that gives values back may take effect after its connection failed. */
  @Test
  void valuesThatWereSentBackAreNotUsedAgainButGivenBackOnceMore() {
    try (SlicedPool sliced = open(Optional.empty())) {
      failing = RETURNS;
      insertOtherSlice();
      Patience.await("a failure", () -> failures.get() > 0 && sliced.usage().unused() < 16);
      int unused = sliced.usage().unused();
      String end = usableUntil();
      int failed = failures.get();

      Patience.await(
          "a renewal and another failure",
          () ->
              (!usableUntil().equals(end) && failures.get() > failed + 2)
                  || sliced.usage().unused() > unused);

      assertThat(sliced.usage().unused()).isLessThanOrEqualTo(unused);
      failing = null;
      Patience.await(
          "the return",
          () ->
              sliced.usage().unused()
                  == database.number(
                      "select count(*) from mintmark.pool_claim where slice_id is not null"));
      assertThat(database.number("select count(*) from mintmark.pool_free")).isPositive();
    }
  }

  private String usableUntil() {
    return database.text("select usable_until::text from mintmark.pool_slice where instance = 'a'");
  }

  @Test
  void aSliceThatMayHaveGivenBucketsUpEndsWithItsGrantsRecorded() {
    try (SlicedPool sliced = open(Optional.empty())) {
      Claim claim = granted(sliced.claim(ClaimRequest.of("vm-1")));
      long slice = slice();
      failing = GIVES_BUCKETS;
      insertOtherSlice();
      Patience.await("a failure", () -> failures.get() > 0);
      failing = null;

      Patience.await(
          "another slice",
          () -> slice() > slice || (failures.get() > 1 && sliced.usage().buckets() == 1_024));

      assertThat(slice()).isGreaterThan(slice);
      assertThat(pools.open("ports").find(claim.value()).map(Claim::client)).contains("vm-1");
      Patience.await("the buckets", () -> sliced.usage().buckets() == 512);
    }
  }

  @Test
  void aRenewalNeverEndsASliceEarlier() {
    try (SlicedPool sliced = open(Optional.empty())) {
      SliceStore store = new SliceStore(sliced.pool().context());
      heldUp = true;
      String end = usableUntil();

      assertThat(store.renew(slice(), Duration.ofSeconds(1), 0)).isPresent();

      assertThat(usableUntil()).isGreaterThanOrEqualTo(end);
      assertThat(
              database.number(
                  "select count(*) from mintmark.pool_claim join mintmark.pool_slice using (slice_id)"
                      + " where expires_at < usable_until"))
          .isZero();
      heldUp = false;
    }
  }
}
