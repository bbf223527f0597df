/** The doctor and migrations of keys: run by a person or a job that owns the tables. */
// The driver is an automatic module; scripts are no classes.
@SuppressWarnings({"requires-automatic", "opens"})
module dev.mintmark.operations {
  requires transitive dev.mintmark;
  requires transitive java.sql;
  requires dev.mintmark.postgres;
  requires org.postgresql.jdbc;
  requires static org.checkerframework.checker.qual;
  requires static org.jspecify;

  exports dev.mintmark.operations.doctor;
  exports dev.mintmark.operations.migrate;

  // Statements lie beside their classes, and dev.mintmark.postgres.internal.SqlFile reads them.
  opens dev.mintmark.operations.doctor to
      dev.mintmark.postgres;
  opens dev.mintmark.operations.internal.schema to
      dev.mintmark.postgres;
  opens dev.mintmark.operations.migrate to
      dev.mintmark.postgres;

  // A script without classes, which Flyway and the like find by its path.
  opens dev.mintmark.operations.migrate.schema;
}
