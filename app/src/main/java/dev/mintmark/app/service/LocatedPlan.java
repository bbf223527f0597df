package dev.mintmark.app.service;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.Quoted;
import dev.mintmark.catalog.LocatedCatalog;
import dev.mintmark.catalog.Location;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.MigrationPlanner;
import dev.mintmark.operations.migrate.Refusal;
import dev.mintmark.postgres.pack.Pack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A plan whose refusals have their locations in the catalog.
 *
 * @param notes the notes of the plan, and names in the catalog that look mistyped
 */
public record LocatedPlan(MigrationPlan plan, List<Located> refusals, List<String> notes) {
  /**
   * A refusal.
   *
   * @param location the location of the setting at fault, or of its collection
   * @param near the name that was probably intended
   */
  public record Located(Refusal refusal, Optional<Location> location, Optional<String> near) {}

  /**
   * Makes a plan.
   *
   * @param reading receives the name of each table that is read in full, which may take long
   */
  public static LocatedPlan of(
      LocatedCatalog read, DataSource connections, InvalidValues invalid, Consumer<String> reading)
      throws SQLException {
    MigrationPlan plan =
        MigrationPlanner.over(connections, Pack.inSchema(Pack.SCHEMA).sql())
            .plan(read.catalog(), invalid, reading);
    try (Connection connection = connections.getConnection()) {
      return new Locating(read, new LiveNames(connection)).locate(plan);
    }
  }

  /** Finds the lines and the suggested names. */
  private record Locating(LocatedCatalog read, LiveNames names) {
    LocatedPlan locate(MigrationPlan plan) throws SQLException {
      List<Located> located = new ArrayList<>();
      for (Refusal refusal : plan.refusals()) {
        located.add(locate(refusal));
      }
      List<String> notes = new ArrayList<>(plan.notes());
      for (CollectionSpec collection : read.catalog().collections()) {
        slip(collection).ifPresent(notes::add);
      }
      return new LocatedPlan(plan, located, notes);
    }

    private Located locate(Refusal refusal) throws SQLException {
      Optional<CollectionSpec> collection =
          read.catalog().collections().stream()
              .filter(one -> List.of(refusal.collection().split(", ", -1)).contains(one.name()))
              .findFirst();
      return collection.isEmpty()
          ? new Located(refusal, Optional.empty(), Optional.empty())
          : locate(refusal, collection.get());
    }

    private Located locate(Refusal refusal, CollectionSpec collection) throws SQLException {
      String object = refusal.object();
      String table = collection.table().orElse("");
      Optional<Reference> reference =
          collection.referencedBy().stream()
              .filter(one -> object.equals("reference " + one))
              .findFirst();
      if (reference.isPresent()) {
        return located(
            refusal,
            near(reference.get()),
            collection,
            "referenced-by",
            reference.get().toString());
      }
      if (object.equals("table " + table) || object.equals("relation " + table)) {
        return located(refusal, names.tableNear(table), collection, "table");
      }
      Optional<String> created = collection.created();
      if (created.isPresent()) {
        Optional<String> near = names.timeNear(table, created.get());
        if (near.isPresent() || object.endsWith("." + created.get())) {
          return located(refusal, near, collection, "created");
        }
      }
      String part = object.endsWith("." + collection.column()) ? "column" : "table";
      return located(refusal, Optional.empty(), collection, part);
    }

    private Located located(
        Refusal refusal, Optional<String> near, CollectionSpec collection, String... path) {
      return new Located(refusal, Optional.of(read.collection(collection.name(), path)), near);
    }

    private Optional<String> near(Reference reference) throws SQLException {
      Optional<String> column = names.columnNear(reference.table(), reference.column());
      return column.isPresent()
          ? column.map(name -> reference.table() + "." + name)
          : names.tableNear(reference.table()).map(name -> name + "." + reference.column());
    }

    /** Reports a column that the table would gain because its name was mistyped. */
    private Optional<String> slip(CollectionSpec collection) throws SQLException {
      if (collection.table().isEmpty()) {
        return Optional.empty();
      }
      String table = collection.table().get();
      return names
          .columnNear(table, collection.column())
          .map(
              near ->
                  "%s: table %s has no column %s, so it is added: did you mean %s?"
                      .formatted(
                          read.collection(collection.name(), "column"),
                          table,
                          Quoted.of(collection.column()),
                          Quoted.of(near)));
    }
  }
}
