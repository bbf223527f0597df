package dev.mintmark.verify.bench;

import java.util.Arrays;
import java.util.List;

/** What mints in SQL: PostgreSQL's own, what others do, and ours. */
enum SqlMint {
  /** What all are compared with, so it is the first. */
  GEN_RANDOM_UUID("gen_random_uuid()", "uuid"),
  NATIVE_UUIDV7("uuidv7()", "uuid"),
  BIGSERIAL("nextval('numbers')", "bigint"),
  /** See {@code rivals.sql}. */
  ARTICLE("generate_ulid()", "uuid"),
  /** See {@code rivals.sql}. */
  TEXT("generate_ulid_text()", "text"),
  UUIDV7("mintmark.uuidv7()", "uuid"),
  ULID("mintmark.ulid()", "uuid"),
  ULID_MONOTONIC("mintmark.ulid_monotonic()", "uuid"),
  /** A set: it has no default of a column, and no statement of one row. */
  ULIDS("mintmark.ulids(n)", "uuid");

  private final String expression;
  private final String type;

  SqlMint(String expression, String type) {
    this.expression = expression;
    this.type = type;
  }

  static List<SqlMint> on(int majorVersion) {
    return Arrays.stream(values())
        .filter(mint -> mint != NATIVE_UUIDV7 || majorVersion >= 18)
        .toList();
  }

  /** As it is called in SQL. */
  String expression() {
    return expression;
  }

  String generate(long rows) {
    return this == ULIDS
        ? "select count(id) from mintmark.ulids(%d) id".formatted(rows)
        : "select count(%s) from given".formatted(expression);
  }

  String createTable() {
    String fallback = this == ULIDS ? "" : "default " + expression;
    return "create table minted (id %s primary key %s, number bigint not null)"
        .formatted(type, fallback);
  }

  String insert(long rows) {
    return this == ULIDS
        ? """
          insert into minted (id, number)
          select id, number from mintmark.ulids(%d) with ordinality drawn (id, number)
          """
            .formatted(rows)
        : "insert into minted (number) select generate_series(1, %d)".formatted(rows);
  }
}
