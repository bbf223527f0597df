package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;

/**
 * Functions and operators that another role has planted on the search path are not run by the role
 * of the pools (CVE-2018-1058).
 */
@Tag("slow")
class PoolSearchPathTest {
  /** A function in a schema that fails, for each array type that pools unnest. */
  private static final String PLANTED_UNNEST =
      """
      create function %1$s.unnest(bigint[]) returns setof bigint language plpgsql
        as 'begin raise exception ''planted''; end';
      create function %1$s.unnest(text[]) returns setof text language plpgsql
        as 'begin raise exception ''planted''; end';
      create function %1$s.unnest(integer[]) returns setof integer language plpgsql
        as 'begin raise exception ''planted''; end';
      create function %1$s.planted(bigint, interval) returns interval language plpgsql
        as 'begin raise exception ''planted''; end';
      create operator %1$s.* (leftarg = bigint, rightarg = interval, function = %1$s.planted);
      """;

  /** Look-alikes, which fail, of the functions and operators that take no type of any kind. */
  private static final String PLANTED_COPIES =
      """
      do $$
      declare
        copy record;
      begin
        for copy in
          select oprname, oprleft::regtype as a, oprright::regtype as b, oprresult::regtype as result, oid
          from pg_operator
          where oprnamespace = 'pg_catalog'::regnamespace and oprkind = 'b'
            and oprname in ('=', '<>', '<', '<=', '>', '>=', '+', '-', '*')
            and oprleft::regtype::text in ('integer', 'bigint', 'text', 'interval', 'boolean',
              'timestamp with time zone', 'oid', 'name', 'tid')
            and oprright::regtype::text in ('integer', 'bigint', 'text', 'interval', 'boolean',
              'timestamp with time zone', 'oid', 'name', 'tid')
        loop
          execute format('create function evil.o%s(%s, %s) returns %s language plpgsql as %L',
            copy.oid, copy.a, copy.b, copy.result, 'begin raise exception ''planted''; end');
          execute format('create operator evil.%s (leftarg = %s, rightarg = %s, function = evil.o%s)',
            copy.oprname, copy.a, copy.b, copy.oid);
        end loop;
        for copy in
          select proname, pg_get_function_identity_arguments(oid) as arguments, prorettype::regtype as result
          from pg_proc
          where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and not proretset
            and proname in ('now', 'clock_timestamp', 'nextval', 'hashtext', 'pg_notify', 'int8', 'setval')
        loop
          execute format('create function evil.%I(%s) returns %s language plpgsql as %L',
            copy.proname, copy.arguments, copy.result, 'begin raise exception ''planted''; end');
        end loop;
      end $$
      """;

  @OnServers
  void functionsInPublicAreNotRun(TestServer server) {
    TestDatabase database = TestDatabase.create(server);
    database.execute(PLANTED_UNNEST.formatted("public"));

    runEverything(database);
  }

  @OnServers
  void aSchemaBeforeThatOfPostgresIsNotLookedAt(TestServer server) {
    TestDatabase database = TestDatabase.create(server);
    database.execute("create schema evil");
    database.execute(PLANTED_UNNEST.formatted("evil"));
    database.execute(PLANTED_COPIES);
    database.execute(
        "do $$ begin execute format('alter database %I set search_path = evil, pg_catalog',"
            + " current_database()); end $$");

    runEverything(database);
  }

  private static void runEverything(TestDatabase database) {
    try (Pools pools = Pools.over(database.dataSource())) {
      pools.create(
          PoolSpec.of("p", List.of(Block.parse("10.0.0.0/29")))
              .withPerClient(3)
              .withPerOwner(Optional.of(4))
              .withLease(Duration.ofHours(1))
              .withQuarantine(Duration.ofHours(1)));
      Pool pool = pools.open("p");
      ClaimRequest request = ClaimRequest.of("a").withOwner("o");
      Claim first = ((Granted) pool.claim(request)).claim();
      assertThat(((Granted) pool.claim(request.withCount(3))).claims()).hasSize(3);
      assertThat(first.token()).isPositive();
      pool.renew(first.value(), first.token(), Optional.empty());
      ClaimNote note = ClaimNote.of(Map.of("rack", "b7"));
      assertThat(pool.notes().set(first.value(), first.token(), note))
          .isEqualTo(new NoteResult.Noted(note));
      assertThat(
              pool.claims(
                  ClaimFilter.ALL
                      .withClient(Optional.of(NameMatch.startingWith("a")))
                      .withOwner(Optional.of(NameMatch.startingWith("o")))
                      .withLabel(Optional.of(LabelMatch.startingWith("rack", "b"))),
                  10))
          .hasSize(1);
      pool.release(first.value(), first.token());
      assertThat(pool.claim(request)).isInstanceOf(Granted.class);
      assertThat(pool.claims(ClaimFilter.ALL, 10)).hasSize(3);
      assertThat(pool.history(PastClaim.Filter.ALL, OptionalLong.empty(), 10)).hasSize(4);
      assertThat(pool.notes().of(first.token())).isEqualTo(note);
      pools.sweep();
      Instant now = Instant.now();
      assertThat(pool.survey().usage(now.minusSeconds(3600), now.plusSeconds(60), 100).samples())
          .isNotEmpty();
      assertThat(pool.change(spec -> spec.withThresholds(List.of(1))).thresholds())
          .containsExactly(1);
      assertThat(pool.map(0, 6).states()).hasSize(6);
      assertThat(pool.stats().total().held().intValue()).isEqualTo(3);
      String free = "10.0.0." + (pool.map(0, 6).states().indexOf('f') + 1);
      assertThat(pool.claim(ClaimRequest.of("b").withOwner("x").withValue(free)))
          .isInstanceOf(Granted.class);
      assertThat(pool.many().renew(ClaimFilter.ofOwner("x"), Optional.empty(), 10).changed())
          .hasSize(1);
      assertThat(pool.many().release(ClaimFilter.ofOwner("x"), 10).changed()).hasSize(1);
      assertThat(pool.survey().standings(List.of(first.value(), "10.9.9.9")))
          .extracting(ValueStanding::exists, ValueStanding::holder)
          .containsExactly(tuple(true, Optional.of("a")), tuple(false, Optional.empty()));
      pool.addBlock(Block.parse("10.1.0.0/30"), List.of());
      pool.quarantine("10.1.0.1", Duration.ofHours(1));
      pool.quarantineAll(Duration.ofHours(1));
      pool.drain("10.0.0.0/29", true);
      pools.sweep();
      pools.create(PoolSpec.of("codes", List.of(ValueList.of("list", List.of("X", "Y")))));
      assertThat(pools.open("codes").claim(ClaimRequest.of("a"))).isInstanceOf(Granted.class);
      assertThat(pools.deleteUnlessHeld("codes")).isEqualTo(1);
      assertThat(pools.delete("p")).isTrue();
    }
  }
}
