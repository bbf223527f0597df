package dev.mintmark.postgres.search;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.FaceChange;
import dev.mintmark.Form;
import dev.mintmark.Inspector;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.search.RowAnswer.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Finds the row that an identifier names, in whichever collection of a catalog it is. The
 * identifier may be any text that one of the collections reads: of its kind, a pURI, a masked face
 * with a keyring.
 *
 * <pre>
 *   a pURI of a declared collection    that collection is asked
 *   a ULID or a UUID                   every collection of 128 bits that reads it
 *   PM000123                           the sequence of that prefix
 *   123                                every sequence, Snowflake and TSID
 *   pay_a3wdgw0zrbmsq56da6a6w62jdy2    the collection of that mask
 * </pre>
 *
 * <p><b>By index only.</b> A table is asked only if a valid index without a condition begins with
 * the column of the identifier; PostgreSQL's catalog says so before, and sequential scans are
 * disabled. Otherwise the table is reported as not looked at.
 *
 * <p><b>What is not known is not denied.</b> {@link RowAnswer.None} means that the table was asked
 * with all rows visible, or that no text of this form is an identifier of the collection. What the
 * role may not read, what is locked and what takes too long is {@link RowAnswer.NotLookedAt}; the
 * others are asked nevertheless.
 *
 * <p><b>A forged face and a missing row answer alike.</b> A text that has the form of a face of a
 * collection asks its table, whether it opens or not.
 *
 * <p>A search is one transaction, which only reads; no lock outlives the statement of its table. It
 * works with any role, on a standby, and behind a pooler in transaction mode.
 *
 * <p>Immutable and thread-safe. Make one for a catalog and keep it.
 *
 * <pre>{@code
 * RowFinder finder = RowFinder.of(catalog).withFaces(keyring);
 * List<RowAnswer> answers =
 *     finder.find(dataSource, "pay_a3wdgw0zrbmsq56da6a6w62jdy2", Map.of("payments", new RowColumns.All()));
 * }</pre>
 */
public final class RowFinder {
  /** The most characters of an identifier. */
  public static final int ID_LENGTH_MAX = Puri.LENGTH_MAX;

  /** The most rows of one collection. */
  public static final int ROWS_MAX = 10;

  /** The most characters of a value; a longer one is cut. */
  public static final int VALUE_LENGTH_MAX = 1_000;

  /** The default timeout of each statement on a table. */
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(1);

  /** The longest timeout. */
  public static final Duration TIMEOUT_MAX = Duration.ofHours(1);

  private static final SqlFile BEGIN_FIND = SqlFile.load(RowFinder.class, "begin_find");
  private static final SqlFile LIMIT_FIND = SqlFile.load(RowFinder.class, "limit_find");

  /** By the name of the collection, in the order of the catalog. */
  private final Map<String, Table> tables;

  private final Puris puris;
  private final long timeoutMillis;
  private final long totalMillis;

  /**
   * A collection that has a table.
   *
   * @param ids the texts by which its identifiers are found
   * @param isOpened whether faces are among them
   */
  private record Table(CollectionSpec collection, SearchIds ids, boolean isOpened) {
    boolean hasFormOfFace(String text) {
      return faces(collection).anyMatch(face -> face.hasFormOf(text));
    }

    Table withFaces(Keyring keyring) {
      return faces(collection).findAny().isEmpty()
          ? this
          : new Table(collection, ids.withFaces(keyring), true);
    }
  }

  private RowFinder(Map<String, Table> tables, Puris puris, long timeoutMillis, long totalMillis) {
    this.tables = tables;
    this.puris = puris;
    this.timeoutMillis = timeoutMillis;
    this.totalMillis = totalMillis;
  }

  /** Returns a finder for the collections of a catalog that have a table, without their faces. */
  public static RowFinder of(Catalog catalog) {
    Puris puris = Puris.of(catalog);
    Map<String, Table> tables = new LinkedHashMap<>();
    for (NamespaceSpec namespace : catalog.namespaces()) {
      for (CollectionSpec collection : namespace.collections()) {
        if (collection.table().isPresent()) {
          SearchIds ids = SearchIds.of(puris, namespace.name(), collection.name());
          tables.put(name(catalog, namespace, collection), new Table(collection, ids, false));
        }
      }
    }
    return new RowFinder(tables, puris, TIMEOUT_DEFAULT.toMillis(), TIMEOUT_MAX.toMillis());
  }

  private static String name(Catalog catalog, NamespaceSpec namespace, CollectionSpec collection) {
    return namespace.name().equals(catalog.namespace())
        ? collection.name()
        : namespace.name() + ":" + collection.name();
  }

  /** Returns the same, which opens the faces of the collections that declare one. */
  public RowFinder withFaces(Keyring keyring) {
    Map<String, Table> opening = new LinkedHashMap<>();
    tables.forEach((name, table) -> opening.put(name, table.withFaces(keyring)));
    return new RowFinder(opening, puris, timeoutMillis, totalMillis);
  }

  /**
   * Returns the same with other timeouts.
   *
   * @param ofTable of each statement on a table: 1 ms to {@link #TIMEOUT_MAX}, truncated to
   *     milliseconds. A lock is waited for half as long
   * @param total after which no further table is asked: 1 ms to {@link #TIMEOUT_MAX}
   */
  public RowFinder withTimeouts(Duration ofTable, Duration total) {
    return new RowFinder(tables, puris, checkedMillis(ofTable), checkedMillis(total));
  }

  private static long checkedMillis(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "timeout is " + timeout + ": expected 1 ms to " + TIMEOUT_MAX);
    }
    return timeout.toMillis();
  }

  /**
   * The collections that have a table, by name, in the order of the catalog: ours as {@code meats},
   * those of others as {@code soundcloud:tracks}.
   */
  public Map<String, CollectionSpec> collections() {
    Map<String, CollectionSpec> collections = new LinkedHashMap<>();
    tables.forEach((name, table) -> collections.put(name, table.collection()));
    return collections;
  }

  /**
   * Asks collections for the row of an identifier, in a transaction of its own.
   *
   * @param id a text of 1 to {@link #ID_LENGTH_MAX} characters, with or without quotes and brackets
   *     around it
   * @param asked which columns to read of which collections, by the names of {@link #collections}
   * @return an answer for each of {@code asked}, in its order
   * @throws IllegalArgumentException if the text is empty or too long, or there is no such
   *     collection
   * @throws SQLException if there is no connection, or it broke
   */
  public List<RowAnswer> find(DataSource dataSource, String id, Map<String, RowColumns> asked)
      throws SQLException {
    Set<String> texts = texts(id);
    for (String name : asked.keySet()) {
      if (!tables.containsKey(name)) {
        throw new IllegalArgumentException(
            "the catalog has no collection " + Quoted.of(name) + " with a table");
      }
    }
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        List<RowAnswer> answers = new Run(connection, id, texts).ask(asked);
        connection.rollback();
        connection.setAutoCommit(true);
        return answers;
      } catch (Throwable e) {
        Rollback.after(e, connection);
        throw e;
      }
    }
  }

  /** The text, and the same without what is around it. */
  private static Set<String> texts(String id) {
    String stripped = id.strip();
    if (stripped.isEmpty() || stripped.length() > ID_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "id has %s characters: expected 1 to %s".formatted(stripped.length(), ID_LENGTH_MAX));
    }
    return new LinkedHashSet<>(List.of(stripped, Inspector.unwrapped(stripped)));
  }

  private static Stream<CollectionSpec.Face> faces(CollectionSpec collection) {
    return Stream.concat(
        collection.face().stream(), collection.faceChange().flatMap(FaceChange::mask).stream());
  }

  /** One search, in the open transaction of a connection. */
  private final class Run {
    private static final String CONNECTION_FAILURE = "08";
    private static final String SHUTDOWN = "57P";

    private final Connection connection;
    private final Set<String> texts;

    /** The same 128 bits as UUIDs, for texts in another notation, such as decimal digits. */
    private final List<String> uuids;

    /** The one collection that a pURI names. */
    private final Optional<CollectionSpec> named;

    private final long startNanos = System.nanoTime();

    Run(Connection connection, String id, Set<String> texts) {
      this.connection = connection;
      this.texts = texts;
      this.uuids =
          Inspector.inspect(id).stream()
              .filter(reading -> isPlain(reading.kind()))
              .flatMap(reading -> Optional.ofNullable(reading.forms().get(Form.UUID)).stream())
              .distinct()
              .toList();
      this.named =
          texts.stream()
              .flatMap(text -> puris.tryParse(text).stream())
              .flatMap(puri -> puris.collection(puri).stream())
              .findFirst();
    }

    /** Whether the kind is that of 128 bits alone, which name no type. */
    private static boolean isPlain(String kind) {
      return kind.equals(Kind.ULID.label()) || kind.startsWith("uuid");
    }

    List<RowAnswer> ask(Map<String, RowColumns> asked) throws SQLException {
      List<String> schemas = begin();
      List<RowAnswer> answers = new ArrayList<>();
      for (Map.Entry<String, RowColumns> one : asked.entrySet()) {
        answers.add(answer(one.getKey(), schemas, one.getValue()));
      }
      return answers;
    }

    /** Returns the schemas in which a table without a schema is looked for. */
    private List<String> begin() throws SQLException {
      List<String> schemas =
          BEGIN_FIND
              .query(
                  connection,
                  Map.of(),
                  row -> List.of((String[]) row.getArray("schemas").getArray()))
              .get(0);
      var unused =
          LIMIT_FIND.query(
              connection,
              Map.of(
                  "timeout_millis",
                  timeoutMillis,
                  "lock_timeout_millis",
                  Math.max(1, timeoutMillis / 2)),
              row -> row.getString(1));
      return schemas;
    }

    private RowAnswer answer(String name, List<String> schemas, RowColumns shown)
        throws SQLException {
      Table table = Objects.requireNonNull(tables.get(name), name);
      if (named.isPresent() && !named.get().equals(table.collection())) {
        return new RowAnswer.None(name);
      }
      Set<Object> values = values(table);
      boolean mayBeFace = texts.stream().anyMatch(table::hasFormOfFace);
      if (values.isEmpty() && !mayBeFace) {
        return new RowAnswer.None(name);
      }
      if ((System.nanoTime() - startNanos) / 1_000_000 >= totalMillis) {
        return new RowAnswer.NotLookedAt(
            name,
            Reason.OUT_OF_TIME,
            "the time for all tables was over (%s ms)".formatted(totalMillis));
      }
      RowAnswer answer = guarded(name, table, schemas, shown, values);
      return answer instanceof RowAnswer.None && mayBeFace && !table.isOpened()
          ? new RowAnswer.NotLookedAt(
              name,
              Reason.NO_SECRET,
              "a face of the collection is opened with a secret, and there is none")
          : answer;
    }

    /** What the column holds of the identifiers that the texts can be read as. */
    private Set<Object> values(Table table) {
      CollectionSpec collection = table.collection();
      Set<Object> values = new LinkedHashSet<>();
      for (String text : texts) {
        Set<Object> read = table.ids().read(text);
        values.addAll(read);
        if (collection.storage() == Kind.Storage.TEXT && !read.isEmpty()) {
          values.add(text);
        }
      }
      if (collection.kind().storage() == Kind.Storage.UUID && named.isEmpty()) {
        uuids.forEach(uuid -> values.addAll(table.ids().read(uuid)));
      }
      return values;
    }

    /** Asks one table. Its failure spoils nothing else, and no lock is kept. */
    private RowAnswer guarded(
        String name, Table table, List<String> schemas, RowColumns shown, Set<Object> values)
        throws SQLException {
      Savepoint before = connection.setSavepoint();
      RowAnswer answer;
      try {
        answer = ask(name, table, schemas, shown, values);
      } catch (SQLException e) {
        if (isLost(e)) {
          throw e;
        }
        answer = failed(name, e);
      }
      connection.rollback(before);
      connection.releaseSavepoint(before);
      return answer;
    }

    private RowAnswer ask(
        String name, Table table, List<String> schemas, RowColumns shown, Set<Object> values)
        throws SQLException {
      CollectionSpec collection = table.collection();
      Optional<RowTable> found = RowTable.read(connection, collection, schemas, shown);
      if (found.isEmpty()) {
        return new RowAnswer.NotLookedAt(
            name,
            Reason.NO_TABLE,
            "there is no such table in this database and on the search path");
      }
      RowTable described = found.get();
      Optional<RowTable.Obstacle> obstacle = described.obstacle(collection);
      if (obstacle.isPresent()) {
        return new RowAnswer.NotLookedAt(name, obstacle.get().reason(), obstacle.get().detail());
      }
      List<List<RowAnswer.Value>> rows = rows(described, collection, values);
      if (!rows.isEmpty()) {
        return new RowAnswer.Found(
            name,
            described.name(),
            described.columns(),
            rows.subList(0, Math.min(rows.size(), ROWS_MAX)),
            rows.size() > ROWS_MAX);
      }
      return described.hidesRows()
          ? new RowAnswer.NotLookedAt(
              name, Reason.ROW_SECURITY, "row security may hide the row from this role")
          : new RowAnswer.None(name);
    }

    private List<List<RowAnswer.Value>> rows(
        RowTable table, CollectionSpec collection, Set<Object> values) throws SQLException {
      String sql = table.query(collection, values.size(), VALUE_LENGTH_MAX + 1, ROWS_MAX + 1);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        int parameter = 0;
        for (Object value : values) {
          statement.setString(++parameter, value.toString());
        }
        List<List<RowAnswer.Value>> rows = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            List<RowAnswer.Value> read = new ArrayList<>();
            for (int i = 1; i <= table.columns().size(); i++) {
              read.add(value(Optional.ofNullable(row.getString(i))));
            }
            rows.add(read);
          }
        }
        return rows;
      }
    }

    /** Characters are those of PostgreSQL: code points, not UTF-16 code units. */
    private static RowAnswer.Value value(Optional<String> text) {
      boolean isCut =
          text.isPresent() && text.get().codePointCount(0, text.get().length()) > VALUE_LENGTH_MAX;
      return new RowAnswer.Value(
          isCut
              ? text.map(whole -> whole.substring(0, whole.offsetByCodePoints(0, VALUE_LENGTH_MAX)))
              : text,
          isCut);
    }

    private RowAnswer failed(String name, SQLException e) {
      String state = String.valueOf(e.getSQLState());
      return switch (state) {
        case "57014" ->
            new RowAnswer.NotLookedAt(
                name, Reason.TIMED_OUT, "it did not answer within %s ms".formatted(timeoutMillis));
        case "55P03" ->
            new RowAnswer.NotLookedAt(
                name, Reason.LOCKED, "another session has locked the whole table");
        case "42501" ->
            new RowAnswer.NotLookedAt(name, Reason.NO_PRIVILEGE, "this role may not read it");
        default ->
            new RowAnswer.NotLookedAt(
                name,
                Reason.FAILED,
                "%s (SQLSTATE %s)"
                    .formatted(
                        String.valueOf(e.getMessage()).lines().findFirst().orElse("it failed"),
                        state));
      };
    }

    private static boolean isLost(SQLException e) {
      String state = String.valueOf(e.getSQLState());
      return state.startsWith(CONNECTION_FAILURE) || state.startsWith(SHUTDOWN);
    }
  }
}
