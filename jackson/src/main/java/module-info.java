/** Identifiers and their faces in JSON. */
module dev.mintmark.jackson {
  requires transitive dev.mintmark;
  requires transitive tools.jackson.databind;
  requires static org.jspecify;

  exports dev.mintmark.jackson;

  provides tools.jackson.databind.JacksonModule with
      dev.mintmark.jackson.MintmarkModule;
}
