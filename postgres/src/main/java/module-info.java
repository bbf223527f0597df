/** What application servers run on PostgreSQL: the SQL pack, JDBC, pages, search and pools. */
// The driver is an automatic module; operations is compiled after this module; scripts are no
// classes.
@SuppressWarnings({"requires-automatic", "module", "opens"})
module dev.mintmark.postgres {
  requires transitive dev.mintmark;
  requires transitive java.sql;
  requires org.postgresql.jdbc;
  requires static org.checkerframework.checker.qual;
  requires static org.jspecify;

  exports dev.mintmark.postgres;
  exports dev.mintmark.postgres.jdbc;
  exports dev.mintmark.postgres.pack;
  exports dev.mintmark.postgres.page;
  exports dev.mintmark.postgres.pool;
  exports dev.mintmark.postgres.pool.numbers;
  exports dev.mintmark.postgres.search;
  exports dev.mintmark.postgres.internal to
      dev.mintmark.operations,
      dev.mintmark.testkit;

  // Scripts without classes, which Flyway and the like find by their path.
  opens dev.mintmark.postgres.pack.schema;
  opens dev.mintmark.postgres.pool.numbers.feed;
  opens dev.mintmark.postgres.pool.schema;
}
