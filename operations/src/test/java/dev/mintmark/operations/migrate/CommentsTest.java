package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Everything that can have a comment still has it after a rollback and after a contraction. */
@Tag("database")
class CommentsTest {
  /** Comments on everything that users made. Views have no constraints and no indexes. */
  private static final String COMMENT_ON_ALL =
      """
      do $$
      declare
        one record;
      begin
        for one in
          with tables as (
            select c.oid, c.relkind, format('%I.%I', n.nspname, c.relname) as name
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'mintmark')
          )
          select 'table ' || name as object from tables where relkind = 'r'
          union all select 'view ' || name from tables where relkind = 'v'
          union all select 'index ' || name from tables where relkind = 'i'
          union all select 'sequence ' || name from tables where relkind = 'S'
          union all
          select format('column %s.%I', t.name, a.attname)
          from tables t
          join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
          where t.relkind in ('r', 'v')
          union all select format('constraint %I on %s', k.conname, t.name) from tables t join pg_constraint k on k.conrelid = t.oid
          union all select format('trigger %I on %s', g.tgname, t.name) from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
          union all select format('policy %I on %s', p.polname, t.name) from tables t join pg_policy p on p.polrelid = t.oid
          union all select format('statistics %I.%I', s.stxnamespace::regnamespace, s.stxname) from pg_statistic_ext s
        loop
          execute format('comment on %s is %L', one.object, 'about ' || one.object || E' \\\\');
        end loop;
      end
      $$""";

  private static List<String> comments(TestDatabase database) {
    return database
        .rows(
            """
            select pg_describe_object(d.classoid, d.objoid, d.objsubid) || ': ' || d.description
            from pg_description d
            where d.objoid >= 16384
              and d.description like 'about %'
            order by 1""")
        .stream()
        .map(row -> row.get(0))
        .toList();
  }

  private static Migrated forum(TestServer server) {
    TestDatabase database = server.createDatabase();
    Migrated.run(database, "forum.sql");
    database.execute("create index latest on posts (id desc) where reply_to is null");
    database.execute(COMMENT_ON_ALL);
    return new Migrated(
        database,
        CollectionSpec.builder("posts", Kind.SEQUENCE).table("posts").build(),
        CollectionSpec.builder("members", Kind.SEQUENCE)
            .table("members")
            .column("member_id")
            .build());
  }

  private static Migrated shop(TestServer server) {
    TestDatabase database = server.createDatabase();
    Migrated.run(database, "shop.sql");
    database.execute(
        "create statistics shop.together on customer_id, parent_id from shop.orders;"
            + " create function shop.noted() returns trigger language plpgsql as 'begin return new; end';"
            + " create trigger noted after update on shop.orders for each row execute function shop.noted()");
    database.execute(COMMENT_ON_ALL);
    return new Migrated(
        database,
        CollectionSpec.builder("orders", Kind.ULID)
            .table("shop.orders")
            .referencedBy(List.of(Reference.parse("shop.audit.order_ref")))
            .build(),
        CollectionSpec.builder("customers", Kind.ULID).table("shop.customers").build());
  }

  private static void survive(Migrated migrated, String dropped) throws SQLException {
    List<String> before = comments(migrated.database);

    migrated.apply();
    migrated.rollback();
    assertThat(comments(migrated.database)).as("after a rollback").isEqualTo(before);
    migrated.apply();
    migrated.contract();

    assertThat(comments(migrated.database))
        .as("after the contraction")
        .isEqualTo(before.stream().filter(line -> !line.contains(dropped)).toList());
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void onNumbers(TestServer server) throws SQLException {
    survive(forum(server), "nothing");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void onTexts(TestServer server) throws SQLException {
    // A check of the text alone is dropped with the old column.
    survive(shop(server), "constraint customers_id_check");
  }
}
