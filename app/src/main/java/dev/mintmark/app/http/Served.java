package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.postgres.pool.Pools;
import java.util.Optional;

/**
 * What a server gives its clients access to.
 *
 * @param pools are closed with the server
 * @param rows the search for the rows of identifiers
 * @param maintenance the doctor and the migrations, which are closed with the server
 * @param access the keys and the audit, which are closed with the server; empty: the database has
 *     no tables for them
 */
public record Served(
    Catalog catalog,
    Pools pools,
    RowSearch rows,
    Optional<Maintenance> maintenance,
    Optional<Access> access) {

  /** Ids and pools alone, without keys. */
  public static Served of(Catalog catalog, Pools pools) {
    return new Served(catalog, pools, RowSearch.off(), Optional.empty(), Optional.empty());
  }

  public Served withRows(RowSearch rows) {
    return new Served(catalog, pools, rows, maintenance, access);
  }

  public Served withMaintenance(Maintenance maintenance) {
    return new Served(catalog, pools, rows, Optional.of(maintenance), access);
  }

  public Served withAccess(Optional<Access> access) {
    return new Served(catalog, pools, rows, maintenance, access);
  }
}
