/** Converters for jOOQ. */
module dev.mintmark.jooq {
  requires transitive dev.mintmark;
  requires transitive org.jooq;
  requires static org.jspecify;

  exports dev.mintmark.jooq;
}
