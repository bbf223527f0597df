/** Reads {@code mintmark.yaml} into the model of a catalog, and writes the model as a file. */
module dev.mintmark.catalog {
  requires transitive dev.mintmark;
  requires org.snakeyaml.engine;
  requires static org.jspecify;

  exports dev.mintmark.catalog;
}
