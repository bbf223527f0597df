package dev.mintmark.verify.bench;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import java.util.List;
import java.util.Optional;

/** A migration of a shop's orders, whose lines refer to them. */
enum MigrationScenario {
  TEXT("change text ULID keys to uuid", "text", "id"),
  INTEGER("change integer keys to bigint", "integer", "id"),
  GAIN("add ULIDs to a table with bigint keys", "bigint", "public_id");

  private final String title;
  private final String keyType;
  private final String column;

  MigrationScenario(String title, String keyType, String column) {
    this.title = title;
    this.keyType = keyType;
    this.column = column;
  }

  String title() {
    return title;
  }

  /** As which a client that knows nothing of the migration sends keys. */
  String keyType() {
    return keyType;
  }

  boolean isText() {
    return this == TEXT;
  }

  /** Tables and rows as before the migration; the rows of lines are shared out among all orders. */
  List<String> create(long orders, long lines) {
    String id = isText() ? "mintmark.ulid_text(mintmark.ulid())" : "n::" + keyType;
    String sequence = isText() ? "" : " default nextval('orders_id_seq'::regclass)";
    return List.of(
        "create sequence orders_id_seq as " + (isText() ? "bigint" : keyType),
        """
        create table orders (
          id %s%s,
          customer text not null,
          status text not null default 'new',
          total integer not null,
          made_at timestamptz not null default clock_timestamp()
        )"""
            .formatted(keyType, sequence),
        """
        create table order_lines (
          order_id %s not null,
          line integer not null,
          sku text not null,
          quantity integer not null
        )"""
            .formatted(keyType),
        """
        insert into orders (id, customer, total, made_at)
        select %s, 'customer ' || n %% 1000, n %% 10000, '2026-01-01'::timestamptz + n * interval '1 second'
        from generate_series(1, %d) n"""
            .formatted(id, orders),
        """
        insert into order_lines
        select o.id, l.line, 'sku ' || l.line, 1
        from orders o
        cross join generate_series(1, %d) as l(line)"""
            .formatted(Math.max(1, lines / orders)),
        "alter table orders add primary key (id)",
        "alter table order_lines add primary key (order_id, line)",
        "alter table order_lines add constraint order_lines_order_id_fkey foreign key (order_id) references orders (id)",
        "create index orders_customer_idx on orders (customer, made_at)",
        "select setval('orders_id_seq', " + (orders + 1) + ")",
        "alter sequence orders_id_seq owned by " + (isText() ? "none" : "orders.id"),
        "vacuum (analyze) orders",
        "vacuum (analyze) order_lines");
  }

  /** What the database is to become. */
  Catalog catalog() {
    Kind kind = this == INTEGER ? Kind.SEQUENCE : Kind.ULID;
    CollectionSpec.Builder orders =
        CollectionSpec.builder("orders", kind).table("orders").column(column);
    if (this == GAIN) {
      orders.created("made_at");
    }
    return new Catalog(
        new NamespaceSpec("shop", Optional.empty(), List.of(orders.build())), List.of(), List.of());
  }

  /** What is done without us, in one transaction. */
  List<String> naive() {
    String drop = "alter table order_lines drop constraint order_lines_order_id_fkey";
    String add =
        "alter table order_lines add constraint order_lines_order_id_fkey foreign key (order_id) references orders (id)";
    return switch (this) {
      case TEXT ->
          List.of(
              "lock table orders, order_lines in access exclusive mode",
              drop,
              "alter table orders alter column id type uuid using mintmark.ulid_uuid(id)",
              "alter table order_lines alter column order_id type uuid using mintmark.ulid_uuid(order_id)",
              add);
      case INTEGER ->
          List.of(
              "lock table orders, order_lines in access exclusive mode",
              drop,
              "alter table orders alter column id type bigint",
              "alter table order_lines alter column order_id type bigint",
              add);
      case GAIN ->
          List.of(
              "lock table orders, order_lines in access exclusive mode",
              "alter table orders add column public_id uuid not null default gen_random_uuid()",
              "alter table orders add constraint orders_public_id_key unique (public_id)");
    };
  }
}
