/** Identifiers and their faces in JSON. */
@SuppressWarnings("module") // Named after Jackson 2.
module dev.mintmark.jackson2 {
  requires transitive dev.mintmark;
  requires transitive com.fasterxml.jackson.databind;
  requires static org.jspecify;

  exports dev.mintmark.jackson2;

  provides com.fasterxml.jackson.databind.Module with
      dev.mintmark.jackson2.MintmarkModule;
}
