/** A plugin for Jdbi: identifiers as arguments, columns and arrays. */
// Jdbi is an automatic module.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.mintmark.jdbi {
  requires transitive dev.mintmark;
  requires dev.mintmark.postgres;
  requires transitive org.jdbi.v3.core;
  requires static org.jspecify;

  exports dev.mintmark.jdbi;

  provides org.jdbi.v3.core.spi.JdbiPlugin with
      dev.mintmark.jdbi.MintmarkPlugin;
}
