package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The article's table of addresses becomes a pool, and programs that read it go on. */
@Tag("slow")
class PoolAdoptionTest {
  private static final PoolAdoption.Table TABLE =
      new PoolAdoption.Table("ip_address", "ip", "client_id", Optional.empty());

  private static final String ROWS = "select id, ip, client_id from ip_address order by id";

  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void everyValueIsInJustOneState() {
    pools.close();
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  private Pool pool() {
    assertThat(pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/16"))))).isTrue();
    return pools.open("p");
  }

  private void table(String type, String... rows) {
    database.execute(
        "create table ip_address (id bigint primary key, ip %s not null, client_id bigint); insert into ip_address values %s"
            .formatted(type, String.join(", ", rows)));
  }

  @Test
  void whatIsInUseIsHeldAndTheViewShowsThePool() {
    Pool pool = pool();
    table("inet", "(1, '10.0.0.1', 7)", "(2, '10.0.0.2', null)", "(3, '10.0.200.3', 8)");
    database.execute(
        "create role reader_%1$s login; grant select on ip_address to reader_%1$s"
            .formatted(database.name()));
    List<List<String>> before = database.rows(ROWS);

    PoolAdoption.Result result = PoolAdoption.adopt(pool, TABLE, false);

    assertThat(result)
        .isEqualTo(
            new PoolAdoption.Result(
                2, 2, "public.ip_address_adopted", "public.ip_address", List.of()));
    assertThat(database.rows(ROWS)).isEqualTo(before);
    assertThat(pool.find("10.0.200.3").orElseThrow().client()).isEqualTo("8");
    pool.release("10.0.0.1", pool.find("10.0.0.1").orElseThrow().token());
    assertThat(pool.claim(ClaimRequest.of("9").withValue("10.0.0.2"))).isInstanceOf(Granted.class);
    assertThat(pool.claim(ClaimRequest.of("vm-9").withValue("10.0.0.1")))
        .isInstanceOf(Granted.class);
    assertThat(
            database.text(
                "reader_" + database.name(),
                "select string_agg(coalesce(client_id::text, '-'), ' ' order by id) from ip_address"))
        .as("a client that is no number is null in the old type")
        .isEqualTo("- 9 8");
    assertThatThrownBy(() -> database.execute("update ip_address set client_id = 1"))
        .hasMessageContaining("cannot update view");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolAdoption.adopt(pool, TABLE, false))
        .withMessageContaining("was it adopted before?");
  }

  @Test
  void rowsThatCannotBeImportedAreListedAndNothingChanges() {
    Pool pool = pool();
    table(
        "text",
        "(1, '10.0.0.1', 7)",
        "(2, '10.0.0.1', 8)",
        "(3, '192.168.0.1', 9)",
        "(4, 'x', 10)",
        "(5, '10.0.0.5', 11)",
        "(6, '10.0.0.6', 12)",
        "(7, '10.0.0.7', 12)",
        "(8, '10.9.9.9', null)");
    pool.claim(ClaimRequest.of("other").withValue("10.0.0.5"));

    assertThat(PoolAdoption.adopt(pool, TABLE, false).problems())
        .containsExactlyInAnyOrder(
            "client \"12\": it holds 2 values, the pool allows 1",
            "value \"10.0.0.1\": 2 rows have it",
            "value \"10.0.0.5\": client \"other\" holds it in the pool",
            "value \"192.168.0.1\": no block of the pool has it",
            "value \"x\": no block of the pool has it");
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(1);
    assertThat(database.text("select relkind from pg_class where relname = 'ip_address'"))
        .isEqualTo("r");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aValueThatIsClaimedMeanwhileIsAProblem(boolean hasARow) {
    Pool pool = pool();
    table("inet", "(1, '10.0.0.1', 7)", "(2, '10.0.0.2', 8)");
    if (hasARow) {
      pool.claim(ClaimRequest.of("before").withValue("10.0.0.1"));
      pool.release("10.0.0.1", pool.find("10.0.0.1").orElseThrow().token());
    }
    try (Session session = new Session(database)) {
      assertThat(
              session.value(
                  "select outcome from mintmark.claim_value('p', 'new', wanted => '10.0.0.1')"))
          .isEqualTo("granted");
      var result =
          CompletableFuture.supplyAsync(
              () -> PoolAdoption.adopt(pool, TABLE, false), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      session.commit();

      assertThat(Session.join(result).problems())
          .containsExactly("value \"10.0.0.1\": client \"new\" holds it in the pool");
    }
    assertThat(pool.find("10.0.0.2")).isEmpty();
    assertThat(database.text("select relkind from pg_class where relname = 'ip_address'"))
        .isEqualTo("r");
  }

  @Test
  void aClaimWhoseLeaseIsOverIsNoneAndOneThatIsHeldIsRenewed() {
    assertThat(
            pools.create(
                PoolSpec.of("p", List.of(Block.parse("10.0.0.0/16")))
                    .withLease(Duration.ofDays(1))
                    .withQuarantine(Duration.ofDays(2))))
        .isTrue();
    Pool pool = pools.open("p");
    table("inet", "(1, '10.0.0.1', 7)", "(2, '10.0.0.2', 8)", "(3, '10.0.0.3', 9)");
    pool.claim(ClaimRequest.of("7").withValue("10.0.0.1"));
    pool.claim(ClaimRequest.of("other").withValue("10.0.0.2"));
    database.execute("update mintmark.pool_claim set expires_at = now() - interval '1 second'");
    pool.claim(ClaimRequest.of("9").withValue("10.0.0.3"));
    database.execute(
        "update mintmark.pool_claim set expires_at = now() + interval '1 hour' where client = '9'");

    assertThat(PoolAdoption.adopt(pool, TABLE, true).problems()).isEmpty();
    PoolAdoption.Result result = PoolAdoption.adopt(pool, TABLE, false);

    assertThat(result.problems()).isEmpty();
    assertThat(result.imported()).isEqualTo(2);
    assertThat(
            database.number(
                "select count(*) from mintmark.pool_claim where expires_at > now() + interval '23 hours'"))
        .isEqualTo(3);
    assertThat(pool.claim(ClaimRequest.of("thief").withValue("10.0.0.1")))
        .isInstanceOf(ValueTaken.class);
  }

  @Test
  void aTableWithRowSecurityIsRefused() {
    Pool pool = pool();
    table("inet", "(1, '10.0.0.1', 7)");
    database.execute("alter table ip_address enable row level security");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolAdoption.adopt(pool, TABLE, true))
        .withMessageContaining("\"ip_address\" has row-level security");
  }

  @Test
  void nothingIsAdoptedWhileInstancesGrantFromSlices() {
    assertThat(
            pools.create(
                PoolSpec.of("p", List.of(Block.parse("10.0.0.0/16")))
                    .withLease(Duration.ofSeconds(2))))
        .isTrue();
    table("inet", "(1, '10.0.0.1', 7)");
    SliceOptions options = SliceOptions.of("api-1:8080").withLease(Duration.ofMinutes(10));
    try (SlicedPool sliced = SlicedPool.open(pools, "p", options)) {
      Session.await("a slice", () -> sliced.usage().unused() > 0);

      assertThat(PoolAdoption.adopt(sliced.pool(), TABLE, false).problems())
          .containsExactly(
              "instances grant values of the pool from slices, so end these first: \"api-1:8080\"");
    }
    assertThat(PoolAdoption.adopt(pools.open("p"), TABLE, false).imported()).isEqualTo(1);
  }

  @Test
  void nothingIsAdoptedWhileThePoolIsStopped() {
    Pool pool = pool();
    table("inet", "(1, '10.0.0.1', 7)");
    database.execute("update mintmark.pool set stopped_at = now()");

    assertThat(PoolAdoption.adopt(pool, TABLE, false).problems())
        .singleElement()
        .asString()
        .startsWith("the pool is stopped after a failover");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          smallint;      32767, -32768;                            32768, -32769, 07, +7, -0, 1.0, ab
          integer;       1234567890, -2147483648, 2147483647;      2147483648, 12345678901234567890
          bigint;        9223372036854775807;                      9223372036854775808
          numeric(6);    999999, -999999, 0;                       1000000, 1e3, 7.5, NaN
          numeric(6,2);  9999.99, 0.10;                            9999.999, 10000.00, 1, 0.1
          numeric;       12345678901234567890.50;                  07.50, .5
          varchar(5);    abcde, é;                                 abcdefgh, abcdeé
          char(5);       abcde, a;                                 abcdef
          uuid;          0190163d-8694-739b-aea5-966c26f8ad90;     0190163D-8694-739B-AEA5-966C26F8AD90, 7
          """,
      delimiter = ';',
      quoteCharacter = '"')
  void theViewShowsWhatTheTypeOfTheColumnCanHold(String type, String clients, String others) {
    Pool pool = pool();
    database.execute(
        "create table ip_address (id bigint primary key, ip inet not null, client_id %s)"
            .formatted(type));
    List<String> shown = List.of(clients.split(", "));
    List<String> hidden = List.of(others.split(", "));
    for (int i = 0; i < shown.size() + hidden.size(); i++) {
      database.execute(
          i < shown.size()
              ? "insert into ip_address values (%1$d, '10.0.0.%1$d', '%2$s')"
                  .formatted(i + 1, shown.get(i))
              : "insert into ip_address values (%1$d, '10.0.0.%1$d')".formatted(i + 1));
    }
    String before = columnType();

    PoolAdoption.adopt(pool, TABLE, false);
    for (int i = 0; i < hidden.size(); i++) {
      assertThat(
              pool.claim(
                  ClaimRequest.of(hidden.get(i)).withValue("10.0.0." + (shown.size() + i + 1))))
          .isInstanceOf(Granted.class);
    }

    assertThat(columnType()).isEqualTo(before);
    assertThat(
            database.rows("select trim(client_id::text) from ip_address order by id").stream()
                .map(row -> row.get(0)))
        .startsWith(shown.toArray(String[]::new))
        .hasSize(shown.size() + hidden.size());
    assertThat(database.number("select count(client_id) from ip_address")).isEqualTo(shown.size());
  }

  private String columnType() {
    return database.text(
        "select format_type(atttypid, atttypmod) from pg_attribute"
            + " where attrelid = 'ip_address'::regclass and attname = 'client_id'");
  }

  @Test
  void aColumnThatCannotHoldEveryClientIsRefused() {
    Pool pool = pool();
    database.execute(
        "create type mood as enum ('a'); create table ip_address (ip inet, client_id mood)");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolAdoption.adopt(pool, TABLE, true))
        .withMessageContaining(
            "column \"client_id\" of table \"ip_address\" is of type public.mood");
  }

  @Test
  void adoptedValuesAreInTheLowestFreeSlots() {
    assertThat(pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/16"))).withPerClient(4)))
        .isTrue();
    Pool pool = pools.open("p");
    table("inet", "(1, '10.0.0.1', 7)", "(2, '10.0.0.2', 7)", "(3, '10.0.0.3', 8)");
    pool.claim(ClaimRequest.of("7").withSlot(1));
    pool.claim(ClaimRequest.of("7").withSlot(3));

    assertThat(PoolAdoption.adopt(pool, TABLE, false).imported()).isEqualTo(3);
    assertThat(
            database.rows(
                "select client, string_agg(slot::text, ' ' order by slot) from mintmark.pool_claim"
                    + " group by client order by client"))
        .isEqualTo(List.of(List.of("7", "0 1 2 3"), List.of("8", "0")));
  }

  @Test
  void aDryRunChangesNothing() {
    Pool pool = pool();
    table("inet", "(1, '10.0.0.1', 7)");

    assertThat(PoolAdoption.adopt(pool, TABLE, true).rows()).isEqualTo(1);
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PoolAdoption.adopt(
                    pool,
                    new PoolAdoption.Table("ip_address", "ip", "client", Optional.empty()),
                    true))
        .withMessageContaining("has no column \"client\": it has [id, ip, client_id]");
  }
}
