/** Functions and views for a warehouse, and the conversion of identifiers in files. */
module dev.mintmark.warehouse {
  requires transitive dev.mintmark;
  requires static org.jspecify;

  exports dev.mintmark.warehouse;
  exports dev.mintmark.warehouse.convert;
}
