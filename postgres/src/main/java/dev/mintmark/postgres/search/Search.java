package dev.mintmark.postgres.search;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A search box over the columns of a table and of those joined to it.
 *
 * <p><b>Terms.</b> White space parts a text into terms, and double quotes around some keep them
 * together: {@code acme "new york"}. A row is found if each term is found in one column at least. A
 * term that is no identifier is not found where identifiers are looked up; a text without terms
 * finds nothing.
 *
 * <p><b>Case.</b> Where it does not count, letters are made lower by the database, under its own
 * collation or {@linkplain #withCollation another}; of a database in the locale C those are the
 * letters A to Z alone. Greek: a collation of Unicode makes the Σ at the end of a term a ς, as at
 * the end of a word, so that such a term does not find the σ within one.
 *
 * <p><b>Safe.</b> Terms are bound, never part of a statement, and what would be a wildcard in them
 * is itself. Only behind {@code $} they are regular expressions; the {@linkplain #withTimeout time}
 * that a statement may take bounds what a hostile one costs.
 *
 * <p>Immutable, and so safe in any number of threads. Make one for each search box and keep it.
 *
 * <pre>{@code
 * Search search = Search.of(SearchTable.of("payments").columns("#id", "name", "^company"));
 * List<UUID> found =
 *     search.find(connection, "acme", 20, row -> row.getObject("id", UUID.class));
 * }</pre>
 */
public final class Search {
  /** Characters that a search text has at most: room for the longest pURI and some words. */
  public static final int TEXT_LENGTH_MAX = 2048;

  /** Terms that a search text has at most. */
  public static final int TERMS_MAX = 16;

  /** Columns that are searched at most, those of joined tables among them. */
  public static final int COLUMNS_MAX = 64;

  /** Rows that are found at once at most. */
  public static final int LIMIT_MAX = 10_000;

  /** What each statement of a search may take unless told otherwise. */
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

  /** What each statement of a search may take at most. */
  public static final Duration TIMEOUT_MAX = Duration.ofHours(1);

  private static final SqlFile CHECK_TERM = SqlFile.load(Search.class, "check_term");

  private static final String MALFORMED_PATTERN = "2201B";
  private static final String CHARACTER_NOT_IN_ENCODING = "22P05";
  private static final Set<String> ERRORS_OF_TERMS =
      Set.of(MALFORMED_PATTERN, CHARACTER_NOT_IN_ENCODING);

  private static final String UNKNOWN_OPERATOR = "42883";
  private static final String UNKNOWN_OBJECT = "42704";

  private final SearchTable table;
  private final TextRules rules;
  private final Duration timeout;
  private final List<String> order;

  private Search(SearchTable table, TextRules rules, Duration timeout, List<String> order) {
    this.table = table;
    this.rules = rules;
    this.timeout = timeout;
    this.order = order;
  }

  /** Statements of the caller, on the connection that {@link #bounded} was called with. */
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * A search of these columns.
   *
   * @throws IllegalArgumentException if there are none, or more than {@value #COLUMNS_MAX}
   */
  public static Search of(SearchTable table) {
    int columns = table.columnCount();
    if (columns < 1 || columns > COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "search of %s: it has %d columns: expected 1 to %d"
              .formatted(table.quotedName(), columns, COLUMNS_MAX));
    }
    return new Search(table, TextRules.DEFAULT, TIMEOUT_DEFAULT, List.of());
  }

  /**
   * Returns the same with another bound on its time.
   *
   * @param timeout of each statement: 1 ms to {@link #TIMEOUT_MAX}; a part of a millisecond is cut
   *     off
   * @throws IllegalArgumentException if it is less or more
   */
  public Search withTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "timeout is " + timeout + ": expected 1 ms to " + TIMEOUT_MAX);
    }
    return new Search(table, rules, timeout, order);
  }

  /**
   * Returns the same with another configuration of the full-text search, for {@code @}: {@code
   * english} finds other forms of a word too, and nothing by those that it passes over. Unless told
   * otherwise it is {@code simple}: words as they are, of any language.
   *
   * @param configuration its name, of {@code a-z 0-9 _}, with its schema and a dot before it where
   *     it has one
   * @throws IllegalArgumentException if the name is malformed
   */
  public Search withTextSearch(String configuration) {
    return new Search(table, rules.withConfiguration(configuration), timeout, order);
  }

  /**
   * Returns the same with another collation by which letters are made lower, whichever the columns
   * have.
   *
   * @param collation the name of a deterministic one, with its schema and a dot before it where it
   *     has one
   * @throws IllegalArgumentException if the name is malformed
   */
  public Search withCollation(String collation) {
    return new Search(table, rules.withCollation(collation), timeout, order);
  }

  /**
   * Returns the same with rows found in the order of a column, behind the orders before.
   *
   * @throws IllegalArgumentException if the name is malformed as in {@link SearchTable#of}
   */
  public Search ascendingBy(String column) {
    return with(SqlName.quoted(column));
  }

  /**
   * Returns the same with rows found in the reverse order of a column, behind those before.
   *
   * @throws IllegalArgumentException if the name is malformed as in {@link SearchTable#of}
   */
  public Search descendingBy(String column) {
    return with(SqlName.quoted(column) + " desc");
  }

  /**
   * The condition that a search text puts to a row, for a statement of one's own in which the table
   * has no alias. To bound its time, run it in {@link #bounded}.
   *
   * @throws MalformedSearchException if the text has more than {@value #TEXT_LENGTH_MAX} characters
   *     or {@value #TERMS_MAX} terms, U+0000 in it, or half of a surrogate pair
   */
  public SearchCondition condition(String text) {
    return condition(text, table.ownAlias());
  }

  /**
   * The same for a statement in which the table has an alias.
   *
   * @throws MalformedSearchException as {@link #condition(String)}
   * @throws IllegalArgumentException if the alias is no name, or {@code inner.1} or the like, as
   *     the condition calls tables inside of it
   */
  public SearchCondition condition(String text, String alias) {
    SearchTable.checkAlias(alias);
    List<SearchCondition> all = new ArrayList<>();
    for (String term : SearchTerms.of(text)) {
      Optional<SearchCondition> condition = table.matching(term, alias, rules);
      if (condition.isEmpty()) {
        return SearchCondition.NONE;
      }
      all.add(condition.get());
    }
    return all.isEmpty() ? SearchCondition.NONE : SearchCondition.allOf(all);
  }

  /**
   * Finds rows by a search text, each once, with all columns of the table, wide ones too; in the
   * order that was given, or in none. Runs in the transaction of the connection, or in one of its
   * own where it commits by itself.
   *
   * @param limit rows at most: 1 to {@value #LIMIT_MAX}
   * @return a list that does not change
   * @throws MalformedSearchException as {@link #condition(String)}, or if a term is no regular
   *     expression and a column is declared with {@code $}, or has a character that the database's
   *     encoding has not
   * @throws IllegalArgumentException if the limit is out of its range
   * @throws SQLTimeoutException if it took too long; a transaction goes on as it was
   * @throws SQLException if a column is of another type than declared (42883), there is no such
   *     text search configuration or collation (42704), or the database failed
   */
  public <T> List<T> find(Connection connection, String text, int limit, RowReader<T> reader)
      throws SQLException {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit is " + limit + ": expected 1 to " + LIMIT_MAX);
    }
    SearchCondition condition = condition(text);
    return condition.findsNothing()
        ? List.of()
        : bounded(connection, text, bounded -> find(bounded, condition, limit, reader));
  }

  /**
   * Runs statements of the caller that have the condition of a search text in them, each under the
   * bound on time, and with the errors of {@link #find}. In a transaction that was begun before,
   * nothing else is changed by it: the bound that its statements had is theirs again, and it goes
   * on even if this fails. Otherwise the work has a transaction of its own, which is committed.
   *
   * @param work must neither begin nor end a transaction: in one of its own, statements behind a
   *     commit are not bounded
   * @throws MalformedSearchException as {@link #find}
   * @throws SQLTimeoutException if a statement took too long, or somebody else stopped one when the
   *     work had taken that long already
   * @throws SQLException if the work throws it, or ended the transaction that was begun before
   *     (3B001)
   */
  public <T> T bounded(Connection connection, String text, Work<T> work) throws SQLException {
    try {
      return limited(connection, text, work);
    } catch (SQLException e) {
      if (isOfATerm(e)) {
        throw malformedTerm(connection, text, e);
      }
      throw e;
    }
  }

  private <T> T limited(Connection connection, String text, Work<T> work) throws SQLException {
    String what = "search of %s for %s".formatted(table.quotedName(), Quoted.of(text));
    return TimeLimit.run(connection, timeout.toMillis(), what, work);
  }

  private <T> List<T> find(
      Connection connection, SearchCondition condition, int limit, RowReader<T> reader)
      throws SQLException {
    String sql =
        "select %s.*\nfrom %s\nwhere %s%s\nlimit ?"
            .formatted(
                SqlName.quoted(table.ownAlias()), table.quotedName(), condition.sql(), orderBy());
    List<T> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = condition.bind(statement, 1);
      statement.setInt(next, limit);
      try (ResultSet rows = execute(statement)) {
        while (rows.next()) {
          found.add(reader.read(rows));
        }
      }
    }
    return Collections.unmodifiableList(found);
  }

  /** Executes our own statement, which fails where the columns are not as they were declared. */
  private ResultSet execute(PreparedStatement statement) throws SQLException {
    try {
      return statement.executeQuery();
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (!state.equals(UNKNOWN_OPERATOR) && !state.equals(UNKNOWN_OBJECT)) {
        throw e;
      }
      String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      String expected =
          Stream.concat(table.identifierColumns(), Stream.of("joined columns of one type"))
              .collect(Collectors.joining(", ", ": expected ", ""));
      throw new SQLException(
          "search of %s: %s%s"
              .formatted(
                  table.quotedName(), problem, state.equals(UNKNOWN_OPERATOR) ? expected : ""),
          state,
          e);
    }
  }

  private String orderBy() {
    return order.isEmpty()
        ? ""
        : order.stream()
            .map(column -> SqlName.quoted(table.ownAlias()) + "." + column)
            .collect(Collectors.joining(", ", "\norder by ", ""));
  }

  private static boolean isOfATerm(SQLException e) {
    return e.getSQLState() != null && ERRORS_OF_TERMS.contains(e.getSQLState());
  }

  /** Finds the term that PostgreSQL did not take, of which it names none. */
  private RuntimeException malformedTerm(Connection connection, String text, SQLException cause)
      throws SQLException {
    for (String term : SearchTerms.of(text)) {
      try {
        limited(connection, text, bounded -> checkTerm(bounded, term));
      } catch (SQLException e) {
        if (Objects.equals(e.getSQLState(), cause.getSQLState())) {
          return new MalformedSearchException(
              "search term %s: %s".formatted(Quoted.of(term), e.getMessage()), e);
        }
        if (!isOfATerm(e)) {
          throw e;
        }
      }
    }
    throw cause;
  }

  private static boolean checkTerm(Connection connection, String term) throws SQLException {
    try (PreparedStatement statement = CHECK_TERM.prepare(connection, Map.of("term", term))) {
      return statement.execute();
    }
  }

  private Search with(String column) {
    List<String> longer = Stream.concat(order.stream(), Stream.of(column)).toList();
    return new Search(table, rules, timeout, longer);
  }
}
