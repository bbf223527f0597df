package dev.mintmark.operations.migrate;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a compatibility view cannot do in the place of its table: PostgreSQL supports it for tables
 * only.
 */
enum ViewLimit {
  SYSTEM_COLUMNS("ctid, xmin, tableoid"),
  TRUNCATE("truncate"),
  COPY("copy from and to"),
  MERGE("merge (before PostgreSQL 17)"),
  TABLESAMPLE("tablesample"),
  WHERE_CURRENT_OF("where current of"),
  ON_CONFLICT_ON_CONSTRAINT("on conflict on constraint"),
  GROUP_BY_KEY("group by the key alone"),
  FOREIGN_KEYS("new foreign keys"),
  INDEXES("create index"),
  ALTER_TABLE("alter table"),
  TRIGGERS("before and after triggers for rows"),
  SERIAL_SEQUENCE("pg_get_serial_sequence");

  private final String label;

  ViewLimit(String label) {
    this.label = label;
  }

  /** Returns it as plans and docs/migrate.md write it. */
  String label() {
    return label;
  }

  /** Returns all of them as a list. */
  static String all() {
    return Arrays.stream(values()).map(ViewLimit::label).collect(Collectors.joining("; "));
  }
}
