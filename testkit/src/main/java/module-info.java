/**
 * For tests of pools and of other allocators: a checker, random work and faults. For tests of code
 * that mints: reproducible identifiers.
 */
module dev.mintmark.testkit {
  requires transitive dev.mintmark;
  requires transitive dev.mintmark.embedded;
  requires transitive dev.mintmark.postgres;
  requires transitive java.sql;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;

  exports dev.mintmark.testkit;

  // Statements lie beside their classes, and dev.mintmark.postgres.internal.SqlFile reads them.
  opens dev.mintmark.testkit to
      dev.mintmark.postgres;
}
