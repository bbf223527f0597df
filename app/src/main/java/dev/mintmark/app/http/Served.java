package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.postgres.pool.Pools;
import java.util.List;
import java.util.Optional;

/**
 * What a server gives its clients access to.
 *
 * @param pools are closed with the server
 * @param databases the pools of each database, the first one first; those of the only one are
 *     {@code pools}
 * @param rows the search for the rows of identifiers
 * @param maintenance the doctor and the migrations, which are closed with the server
 * @param access the keys and the audit, which are closed with the server; empty: the database has
 *     no tables for them
 */
public record Served(
    Catalog catalog,
    Pools pools,
    List<Pools> databases,
    RowSearch rows,
    Optional<Maintenance> maintenance,
    Optional<Access> access) {

  public Served {
    databases = List.copyOf(databases);
  }

  /** Ids and pools alone, without keys. */
  public static Served of(Catalog catalog, Pools pools) {
    return new Served(
        catalog, pools, List.of(pools), RowSearch.off(), Optional.empty(), Optional.empty());
  }

  /**
   * As {@link #of(Catalog, Pools)}, of one database or several.
   *
   * @param databases the pools of each, the first one first
   */
  public static Served of(Catalog catalog, List<Pools> databases) {
    Pools pools = databases.size() == 1 ? databases.get(0) : Pools.across(databases);
    return new Served(
        catalog, pools, databases, RowSearch.off(), Optional.empty(), Optional.empty());
  }

  public Served withRows(RowSearch rows) {
    return new Served(catalog, pools, databases, rows, maintenance, access);
  }

  public Served withMaintenance(Maintenance maintenance) {
    return new Served(catalog, pools, databases, rows, Optional.of(maintenance), access);
  }

  public Served withAccess(Optional<Access> access) {
    return new Served(catalog, pools, databases, rows, maintenance, access);
  }
}
