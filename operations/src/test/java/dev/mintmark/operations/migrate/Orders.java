package dev.mintmark.operations.migrate;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.operations.migrate.Step.Work;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A table of orders whose {@code integer} key becomes {@code bigint}: the smallest migration that
 * has every kind of step.
 */
final class Orders {
  /** Small batches, and no patience to speak of. */
  static final Pace PACE =
      new Pace(
          Duration.ofMillis(50),
          Duration.ofSeconds(10),
          Duration.ofMillis(50),
          60,
          Duration.ofDays(1),
          Duration.ofDays(1),
          Long.MAX_VALUE);

  static final Pace IMPATIENT =
      new Pace(
          Duration.ofMillis(10),
          Duration.ofMillis(150),
          Duration.ofMillis(50),
          60,
          Duration.ofDays(1),
          Duration.ofDays(1),
          Long.MAX_VALUE);

  /** Other sessions get in the way once, and the run waits until they are out of it. */
  static final Pace PATIENT =
      new Pace(
          Duration.ofSeconds(10),
          Pace.FULL.lockPatience(),
          Pace.FULL.batch(),
          Pace.FULL.batchRowsMax(),
          Pace.FULL.replicaLagMax(),
          Pace.FULL.transactionAgeMax(),
          Pace.FULL.walBytesPerSecondMax());

  static final int ROWS = 100;

  private static final long INT_MAX = Integer.MAX_VALUE;

  private Orders() {}

  /** Makes the table anew, and forgets all migrations. */
  static void create(TestDatabase database) {
    database.execute(
        """
        drop table if exists public.orders;
        drop function if exists public.sync_orders();
        drop schema if exists mintmark cascade;
        create table public.orders (id integer primary key, note text not null);
        insert into public.orders select n, 'note ' || n from generate_series(1, %d) n
        """
            .formatted(ROWS));
  }

  static MigrationPlan plan() {
    return plan(steps());
  }

  static MigrationPlan plan(List<Step> steps) {
    return new MigrationPlan(
        steps,
        List.of(),
        List.of(),
        List.of(new Limit("public.orders.id", Limit.query("id", "public.orders"), INT_MAX)));
  }

  /** Those before the contraction. */
  static List<Step> stepsToBake() {
    return steps().stream().filter(step -> step.phase() != Phase.CONTRACT).toList();
  }

  static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    steps.add(
        transaction(
            Phase.EXPAND,
            "add column orders.id__new",
            List.of("alter table public.orders add column id__new bigint"),
            List.of("alter table public.orders drop column id__new")));
    steps.add(
        transaction(
            Phase.SYNC,
            "keep orders.id__new",
            List.of(sync("id__new", "id"), TRIGGER),
            List.of(
                "drop trigger sync_orders on public.orders; drop function public.sync_orders()")));
    steps.add(step(Phase.BACKFILL, Work.BACKFILL, "fill orders.id__new", FILL));
    steps.add(step(Phase.BACKFILL, Work.BACKFILL, "fill what was locked", FILL_REST));
    steps.add(step(Phase.BACKFILL, Work.VERIFY, "verify orders.id__new", VERIFY));
    steps.add(
        new Step(
            Phase.INDEX,
            Work.INDEX,
            "create index orders__new",
            "public.orders__new",
            List.of("create unique index concurrently orders__new on public.orders (id__new)"),
            List.of(),
            locks(Mode.SHARE_UPDATE_EXCLUSIVE),
            new Estimate(ROWS, 0, 0, 0)));
    steps.add(
        transaction(
            Phase.VALIDATE,
            "orders.id__new is not null",
            List.of("alter table public.orders alter column id__new set not null"),
            List.of("alter table public.orders alter column id__new drop not null")));
    steps.add(
        transaction(
            Phase.SWITCH,
            "switch orders.id",
            List.of(
                "alter table public.orders rename column id to id__old",
                "alter table public.orders rename column id__new to id",
                sync("id__old", "id")),
            List.of(
                "lock table public.orders in access exclusive mode",
                "alter table public.orders rename column id to id__new",
                "alter table public.orders rename column id__old to id",
                sync("id__new", "id"))));
    steps.add(
        transaction(
            Phase.CONTRACT,
            "drop the trigger of orders",
            List.of(
                "drop trigger sync_orders on public.orders; drop function public.sync_orders()"),
            List.of()));
    steps.add(
        transaction(
            Phase.CONTRACT,
            "drop orders.id__old",
            List.of(
                "alter table public.orders drop column id__old",
                "alter table public.orders add constraint orders_pkey primary key using index"
                    + " orders__new"),
            List.of()));
    return steps;
  }

  private static final String TRIGGER =
      "create trigger sync_orders before insert or update on public.orders"
          + " for each row execute function public.sync_orders()";

  private static String sync(String kept, String given) {
    return """
        create or replace function public.sync_orders() returns trigger language plpgsql as $$
        begin
          new.%s := new.%s; -- keeps both; does it with every row
          return new;
        end
        $$\
        """
        .formatted(kept, given);
  }

  private static final String FILL =
      """
      with
        at as (select coalesce((?::text[])[1]::integer, 0) as behind, ?::integer as size),
        page as (
          select o.id from public.orders o, at where o.id > at.behind order by o.id limit (select size from at)
        ),
        free as (
          select o.id from public.orders o join page using (id) for no key update of o skip locked
        ),
        filled as (
          update public.orders o set id__new = o.id from free
          where o.id = free.id and o.id__new is null returning o.id
        )
      select
        (select count(*) from page) as seen,
        (select count(*) from filled) as changed,
        (select array[max(id)::text] from page having count(*) = (select size from at)) as cursor
      """;

  private static final String FILL_REST =
      """
      with
        at as (select ?::text[] as cursor, ?::integer as size),
        free as (
          select o.id from public.orders o where o.id__new is null
          limit (select size from at) for no key update skip locked
        ),
        filled as (
          update public.orders o set id__new = o.id from free where o.id = free.id returning o.id
        )
      select
        (select count(*) from free) as seen,
        (select count(*) from filled) as changed,
        (
          select array['left'] where
            (select count(*) from public.orders o where o.id__new is null) > (select count(*) from filled)
        ) as cursor
      """;

  private static final String VERIFY =
      """
      with
        at as (select coalesce((?::text[])[1]::integer, 0) as behind, ?::integer as size),
        page as (
          select o.id, o.id__new from public.orders o, at where o.id > at.behind
          order by o.id limit (select size from at)
        )
      select
        (select count(*) from page) as seen,
        (select count(*) from page where id__new is distinct from id) as changed,
        (select array[max(id)::text] from page having count(*) = (select size from at)) as cursor
      """;

  private static Step transaction(
      Phase phase, String title, List<String> apply, List<String> undo) {
    return new Step(
        phase,
        Work.TRANSACTION,
        title,
        "public.orders",
        apply,
        undo,
        locks(Mode.ACCESS_EXCLUSIVE),
        Estimate.NOTHING);
  }

  private static Step step(Phase phase, Work work, String title, String statement) {
    return new Step(
        phase,
        work,
        title,
        "public.orders",
        List.of(statement),
        List.of(),
        locks(Mode.ROW_EXCLUSIVE),
        new Estimate(ROWS, 0, 0, 0));
  }

  private static List<TableLock> locks(Mode mode) {
    return List.of(new TableLock("public.orders", mode, Held.BRIEFLY));
  }

  /** All that the migration could have changed: columns, constraints, indexes, triggers, rows. */
  static String snapshot(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SNAPSHOT)) {
      row.next();
      return row.getString(1);
    }
  }

  private static final String SNAPSHOT =
      """
        select concat_ws(E'\\n',
          (select string_agg(concat_ws(' ', attname, atttypid::regtype, attnotnull), ', ' order by attname)
            from pg_attribute where attrelid = 'public.orders'::regclass and attnum > 0 and not attisdropped),
          (select string_agg(concat_ws(' ', conname, convalidated, pg_get_constraintdef(oid)), ', ' order by conname)
            from pg_constraint where conrelid = 'public.orders'::regclass and contype <> 'n'),
          (select string_agg(concat_ws(' ', indisvalid, pg_get_indexdef(indexrelid)), ', ' order by indexrelid::regclass::text)
            from pg_index where indrelid = 'public.orders'::regclass),
          (select string_agg(pg_get_triggerdef(oid), ', ')
            from pg_trigger where tgrelid = 'public.orders'::regclass),
          (select string_agg(proname || prosrc, ', ' order by proname) from pg_proc where pronamespace = 'public'::regnamespace),
          (select md5(string_agg((select string_agg(key || '=' || value, ' ' order by key)
              from jsonb_each_text(to_jsonb(o))), E'\\n' order by note))
            from public.orders o))
        """;
}
