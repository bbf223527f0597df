package dev.mintmark.app.service;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Keyring;
import dev.mintmark.postgres.search.RowAnswer;
import dev.mintmark.postgres.search.RowColumns;
import dev.mintmark.postgres.search.RowFinder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The search of a server for the row of an identifier: in the collections that declare {@code
 * find}, of which it reads the declared columns and no other. Thread-safe.
 */
public final class RowSearch {
  /** The timeout of each statement on a table, unless another is given. */
  public static final Duration TIMEOUT = RowFinder.TIMEOUT_DEFAULT;

  /** After so long no further table is asked, unless another time is given. */
  public static final Duration TOTAL = Duration.ofSeconds(5);

  private final Map<String, List<String>> searchable;
  private final Optional<RowFinder> finder;
  private final Optional<DataSource> dataSource;

  private RowSearch(
      Map<String, List<String>> searchable,
      Optional<RowFinder> finder,
      Optional<DataSource> dataSource) {
    this.searchable = searchable;
    this.finder = finder;
    this.dataSource = dataSource;
  }

  /** Returns a search in no collection. */
  public static RowSearch off() {
    return new RowSearch(Map.of(), Optional.empty(), Optional.empty());
  }

  /** Returns a search in the collections of a catalog that declare {@code find}. */
  public static RowSearch of(Catalog catalog, Optional<Keyring> keyring, DataSource dataSource) {
    RowFinder finder = RowFinder.of(catalog).withTimeouts(TIMEOUT, TOTAL);
    return new RowSearch(
        declared(finder),
        Optional.of(keyring.map(finder::withFaces).orElse(finder)),
        Optional.of(dataSource));
  }

  /**
   * Returns the same with other timeouts.
   *
   * @param ofTable of each statement on a table; a lock is waited for half as long
   * @param total after which no further table is asked
   */
  public RowSearch withTimeouts(Duration ofTable, Duration total) {
    return new RowSearch(
        searchable, finder.map(some -> some.withTimeouts(ofTable, total)), dataSource);
  }

  /** Whether a collection of the catalog declares {@code find}. */
  public static boolean isDeclared(Catalog catalog) {
    return !declared(RowFinder.of(catalog)).isEmpty();
  }

  private static Map<String, List<String>> declared(RowFinder finder) {
    Map<String, List<String>> declared = new LinkedHashMap<>();
    finder
        .collections()
        .forEach(
            (name, collection) -> {
              if (!collection.findColumns().isEmpty()) {
                declared.put(name, collection.findColumns());
              }
            });
    return declared;
  }

  /** The columns that are shown of each collection that declares them, by its name. */
  public Map<String, List<String>> searchable() {
    return searchable;
  }

  /**
   * Asks collections for the row of an identifier.
   *
   * @param collections some of {@link #searchable}
   * @return an answer for each, in their order
   * @throws IllegalArgumentException if the identifier is empty or too long
   * @throws SQLException if the database cannot be reached, or the connection broke
   */
  public List<RowAnswer> find(String id, Collection<String> collections) throws SQLException {
    Map<String, RowColumns> asked = new LinkedHashMap<>();
    for (String collection : collections) {
      List<String> columns = searchable.get(collection);
      if (columns == null) {
        throw new IllegalStateException("collection " + collection + " declares no find");
      }
      asked.put(collection, new RowColumns.Named(columns));
    }
    return finder.orElseThrow().find(dataSource.orElseThrow(), id, asked);
  }

  /**
   * Returns what the command line reads of a row: the declared columns, otherwise the key.
   *
   * @param collection with a table
   */
  public static RowColumns usualColumns(CollectionSpec collection) {
    return collection.findColumns().isEmpty()
        ? new RowColumns.Key()
        : new RowColumns.Named(collection.findColumns());
  }
}
