package dev.mintmark.app.service;

import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.List;

/**
 * What a person types to confirm that a migration is contracted or rolled back: the name of its
 * first table, with or without the schema. A migration that only creates an index has no table, and
 * is confirmed with the name of the index.
 *
 * @param name the name with its schema, as PostgreSQL writes it
 */
public record ConfirmingTable(String name) {
  public static ConfirmingTable of(MigrationStatus status) {
    List<String> tables = status.tables();
    return new ConfirmingTable(tables.isEmpty() ? status.steps().get(0).target() : tables.get(0));
  }

  /** Returns what confirms: the name with and without its schema. */
  public List<String> names() {
    return List.of(name, name.substring(name.indexOf('.') + 1));
  }
}
