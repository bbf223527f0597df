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
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGStatement;

/**
 * A search box over the columns of a table and of its joined tables.
 *
 * <p><b>Terms.</b> White space and commas separate a text into terms, and double quotes keep words
 * together: {@code acme "new york"}. A row is found if each term is found in at least one column. A
 * lookup of identifiers does not find a term that is not an identifier, and a term that is an
 * identifier is not looked up as a pattern; a text without terms finds nothing.
 *
 * <p><b>Short terms.</b> No index serves a search for values that contain one or two characters. So
 * in tables with more than {@value #SHORT_TERM_ROWS_MAX} rows such a term is refused if a column is
 * declared without a lookup character. A short term that is an identifier, such as {@code 42}, is
 * looked up as that, and not inside values.
 *
 * <p><b>Case.</b> If case is ignored, the database converts letters to lower case under its own
 * collation or {@linkplain #withCollation another}; in the locale C these are only the letters A to
 * Z. Greek: a Unicode collation converts the Σ at the end of a term to ς, as at the end of a word,
 * so such a term does not find a σ inside a word.
 *
 * <p><b>Safe.</b> Terms are bound, never part of a statement, and wildcards in them are ordinary
 * characters. Terms are regular expressions only for {@code $}; the {@linkplain #withTimeout
 * timeout} of a statement limits the cost of a hostile one.
 *
 * <p>Immutable and thread-safe. Make one for each search box and keep it.
 *
 * <pre>{@code
 * Search search = Search.of(SearchTable.of("payments").columns("#id", "name", "^company"));
 * List<UUID> found =
 *     search.find(connection, "acme", 20, row -> row.getObject("id", UUID.class));
 * }</pre>
 */
public final class Search {
  /** The most characters of a search text: room for the longest pURI and some words. */
  public static final int TEXT_LENGTH_MAX = 2048;

  /** The most terms of a search text. */
  public static final int TERMS_MAX = 16;

  /** The most searched columns, including those of joined tables. */
  public static final int COLUMNS_MAX = 64;

  /** The most rows of one result. */
  public static final int LIMIT_MAX = 10_000;

  /** The default timeout of each statement of a search. */
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

  /** The longest timeout of a statement of a search. */
  public static final Duration TIMEOUT_MAX = Duration.ofHours(1);

  /** The most rows, as the server estimates them, that are read for a term without an index. */
  public static final int SHORT_TERM_ROWS_MAX = 100_000;

  /** The most estimated rows that are found and then sorted, rather than read in their order. */
  private static final long SORTED_ROWS_MAX = LIMIT_MAX;

  private static final SqlFile ROWS = SqlFile.load(Search.class, "rows");
  private static final SqlFile CHECK_TERM = SqlFile.load(Search.class, "check_term");

  /** The name of the rows of the rarest term; the dot makes conflicts unlikely. */
  private static final String FOUND = "found.rows";

  /** The estimate of the planner in the first line of a plan. */
  private static final Pattern ESTIMATE = Pattern.compile(" rows=([0-9]{1,18}) ");

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

  /** Statements of the caller on the connection of {@link #bounded}. */
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * Returns a search of the columns of a table.
   *
   * @throws IllegalArgumentException if there are none, or more than {@value #COLUMNS_MAX}
   */
  public static Search of(SearchTable table) {
    int columns = table.columnCount();
    if (columns < 1 || columns > COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "search of %s: it has %s columns: expected 1 to %s"
              .formatted(table.quotedName(), columns, COLUMNS_MAX));
    }
    return new Search(table, TextRules.DEFAULT, TIMEOUT_DEFAULT, List.of());
  }

  /**
   * Returns this with another timeout.
   *
   * @param timeout the timeout of each statement: 1 ms to {@link #TIMEOUT_MAX}, truncated to
   *     milliseconds
   * @throws IllegalArgumentException if it is out of range
   */
  public Search withTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "timeout is " + timeout + ": expected 1 ms to " + TIMEOUT_MAX);
    }
    return new Search(table, rules, timeout, order);
  }

  /**
   * Returns this with another text search configuration for {@code @}: {@code english} also finds
   * other forms of a word, and finds nothing for its stop words. The default is {@code simple}:
   * words unchanged, of any language.
   *
   * @param configuration its name, of {@code a-z 0-9 _}, optionally after its schema and a dot
   * @throws IllegalArgumentException if the name is malformed
   */
  public Search withTextSearch(String configuration) {
    return new Search(table, rules.withConfiguration(configuration), timeout, order);
  }

  /**
   * Returns this with another collation for the conversion to lower case, whatever the collations
   * of the columns.
   *
   * @param collation the name of a deterministic collation, optionally after its schema and a dot
   * @throws IllegalArgumentException if the name is malformed
   */
  public Search withCollation(String collation) {
    return new Search(table, rules.withCollation(collation), timeout, order);
  }

  /**
   * Returns this with rows in the order of a column, after the orders added before.
   *
   * @throws IllegalArgumentException if the name is malformed as in {@link SearchTable#of}
   */
  public Search ascendingBy(String column) {
    return with(SqlName.quoted(column));
  }

  /**
   * Returns this with rows in the reverse order of a column, after the orders added before.
   *
   * @throws IllegalArgumentException if the name is malformed as in {@link SearchTable#of}
   */
  public Search descendingBy(String column) {
    return with(SqlName.quoted(column) + " desc");
  }

  /**
   * Returns the condition of a search text, for a statement of your own in which the table has no
   * alias. Run the statement in {@link #bounded} to limit its time.
   *
   * @throws MalformedSearchException if the text has more than {@value #TEXT_LENGTH_MAX} characters
   *     or {@value #TERMS_MAX} terms, U+0000, or half of a surrogate pair
   */
  public SearchCondition condition(String text) {
    return condition(text, table.ownAlias());
  }

  /**
   * As above, for a statement in which the table has an alias.
   *
   * @throws MalformedSearchException as {@link #condition(String)}
   * @throws IllegalArgumentException if the alias is malformed, or is {@code inner.1} or similar,
   *     which the condition uses for its own tables
   */
  public SearchCondition condition(String text, String alias) {
    SearchTable.checkAlias(alias);
    return condition(terms(text), table, alias);
  }

  /**
   * Returns the condition as a query of the rows that fulfil it, {@code select "payments"."id" from
   * "payments" where ...}, for a statement whose alias of the table is not known, as that of a
   * framework: {@code id in (...)}. If no row can match, the query returns none.
   *
   * @param column the column to return, which identifies a row: its primary key
   * @throws MalformedSearchException as {@link #condition(String)}
   * @throws IllegalArgumentException if the name is malformed
   */
  public SearchCondition query(String text, String column) {
    String select =
        "select %s.%s from %s where "
            .formatted(
                SqlName.quoted(table.ownAlias()), SqlName.quoted(column), table.quotedName());
    return condition(text).within(select, "");
  }

  private List<SearchTerm> terms(String text) {
    return SearchTerms.of(text).stream().map(table::term).toList();
  }

  private SearchCondition condition(List<SearchTerm> terms, SearchTable in, String alias) {
    List<SearchCondition> all = new ArrayList<>();
    for (SearchTerm term : terms) {
      Optional<SearchCondition> condition = in.matching(term, alias, rules);
      if (condition.isEmpty()) {
        return SearchCondition.NONE;
      }
      all.add(condition.get());
    }
    return all.isEmpty() ? SearchCondition.NONE : SearchCondition.allOf(all);
  }

  /**
   * Finds rows by a search text, each once, with all columns of the table, including wide ones, in
   * the given order. Runs in the transaction of the connection, or in a transaction of its own if
   * the connection is in auto-commit mode.
   *
   * @param limit the most rows: 1 to {@value #LIMIT_MAX}
   * @return an immutable list
   * @throws MalformedSearchException as {@link #condition(String)}, or if a term is not a regular
   *     expression and a column is declared with {@code $}, has a character that the encoding of
   *     the database lacks, or is too short for a table of this size
   * @throws IllegalArgumentException if the limit is out of range
   * @throws SQLTimeoutException if it took too long; the transaction can continue
   * @throws SQLException if a column has another type than declared (42883), there is no such text
   *     search configuration or collation (42704), or the database failed
   */
  public <T> List<T> find(Connection connection, String text, int limit, RowReader<T> reader)
      throws SQLException {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit is " + limit + ": expected 1 to " + LIMIT_MAX);
    }
    List<SearchTerm> terms = terms(text);
    return condition(terms, table, table.ownAlias()).findsNothing()
        ? List.of()
        : bounded(connection, text, bounded -> find(bounded, terms, limit, reader));
  }

  /**
   * Runs statements of the caller with the condition of a search text, each with the timeout and
   * the errors of {@link #find}. If a transaction is open, its own statement timeout is restored
   * afterwards, and it can continue even if this fails. Otherwise the work runs in a transaction of
   * its own, which is committed.
   *
   * @param work must neither begin nor end a transaction: statements after a commit have no timeout
   * @throws MalformedSearchException as {@link #find}
   * @throws SQLTimeoutException if a statement took too long, or another session cancelled one
   *     after that time
   * @throws SQLException if the work throws it, or ended the open transaction (3B001)
   */
  public <T> T bounded(Connection connection, String text, Work<T> work) throws SQLException {
    try {
      return limited(
          connection,
          text,
          bounded -> {
            requireLongTerms(bounded, text);
            return work.run(bounded);
          });
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

  /** Refuses terms for which all rows of a large table would be read. */
  private void requireLongTerms(Connection connection, String text) throws SQLException {
    List<String> tables = table.containing().distinct().toList();
    Optional<SearchTerm> term =
        tables.isEmpty()
            ? Optional.empty()
            : terms(text).stream()
                .filter(each -> each.isShort() && !each.isIdentifier())
                .findFirst();
    if (term.isEmpty()) {
      return;
    }
    long rows =
        ROWS.query(
                connection,
                Map.of("tables", tables.toArray(String[]::new)),
                row -> row.getLong("most_rows"))
            .get(0);
    if (rows > SHORT_TERM_ROWS_MAX) {
      throw new MalformedSearchException(
          "search term %s: expected at least %s characters, with a letter or a digit: no index finds values that contain it, and a table has about %s rows"
              .formatted(Quoted.of(term.get().text()), SearchTerm.INDEXED_LENGTH_MIN, rows));
    }
  }

  private <T> List<T> find(
      Connection connection, List<SearchTerm> terms, int limit, RowReader<T> reader)
      throws SQLException {
    Found statement =
        rarest(connection, terms)
            .map(rarest -> foundFirst(terms, rarest))
            .orElseGet(() -> readInOrder(terms));
    List<T> found = new ArrayList<>();
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
      int next = 1;
      for (SearchCondition condition : statement.conditions()) {
        next = condition.bind(prepared, next);
      }
      prepared.setInt(next, limit);
      try (ResultSet rows = execute(prepared)) {
        while (rows.next()) {
          found.add(reader.read(rows));
        }
      }
    }
    return Collections.unmodifiableList(found);
  }

  /** A statement, and the conditions in it, in order; its last parameter is the limit. */
  private record Found(String sql, List<SearchCondition> conditions) {}

  /** The planner may read the rows in their order until enough of them match: for broad terms. */
  private Found readInOrder(List<SearchTerm> terms) {
    SearchCondition condition = condition(terms, table, table.ownAlias());
    String sql =
        "select %s.*\nfrom %s\nwhere %s%s\nlimit ?"
            .formatted(
                SqlName.quoted(table.ownAlias()),
                table.quotedName(),
                condition.sql(),
                orderBy(table.ownAlias()));
    return new Found(sql, List.of(condition));
  }

  /**
   * Finds the rows of the rarest term by its indexes, tests these for the other terms, and then
   * sorts them. With the limit in the same query, the planner would expect to find enough rows soon
   * if it reads all rows in their order; it reads the whole table if there are fewer.
   */
  private Found foundFirst(List<SearchTerm> terms, SearchTerm rarest) {
    SearchCondition first = condition(List.of(rarest), table, table.ownAlias());
    List<SearchTerm> others = terms.stream().filter(term -> !term.equals(rarest)).toList();
    List<SearchCondition> conditions = new ArrayList<>(List.of(first));
    String where = "";
    if (!others.isEmpty()) {
      SearchCondition rest = condition(others, table.withoutKey(), FOUND);
      conditions.add(rest);
      where = "\nwhere " + rest.sql();
    }
    String sql =
        """
        with %1$s as materialized (
          select %2$s.*
          from %3$s
          where %4$s
        )
        select %1$s.*
        from %1$s%5$s%6$s
        limit ?"""
            .formatted(
                SqlName.quoted(FOUND),
                SqlName.quoted(table.ownAlias()),
                table.quotedName(),
                first.sql(),
                where,
                orderBy(FOUND));
    return new Found(sql, conditions);
  }

  /**
   * Returns the term with the fewest rows: an identifier, or what the planner estimates. Empty if
   * no term has few, or no index serves it.
   */
  private Optional<SearchTerm> rarest(Connection connection, List<SearchTerm> terms)
      throws SQLException {
    Optional<SearchTerm> identifier = terms.stream().filter(SearchTerm::isIdentifier).findFirst();
    if (identifier.isPresent()) {
      return identifier;
    }
    Optional<SearchTerm> rarest = Optional.empty();
    long fewest = SORTED_ROWS_MAX;
    for (SearchTerm term : terms) {
      SearchCondition condition = condition(List.of(term), table, table.ownAlias());
      OptionalLong rows = indexedRows(connection, condition);
      if (rows.isPresent() && rows.getAsLong() <= fewest) {
        fewest = rows.getAsLong();
        rarest = Optional.of(term);
      }
    }
    return rarest;
  }

  /** Returns how many rows the planner expects by indexes; empty if it would read a whole table. */
  private OptionalLong indexedRows(Connection connection, SearchCondition condition)
      throws SQLException {
    String sql = "explain select from %s where %s".formatted(table.quotedName(), condition.sql());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (statement.isWrapperFor(PGStatement.class)) {
        // The estimate is that of this term, so a plan would never be used again.
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      }
      condition.bind(statement, 1);
      OptionalLong estimate = OptionalLong.empty();
      try (ResultSet lines = execute(statement)) {
        while (lines.next()) {
          String line = lines.getString(1);
          if (line.contains("Seq Scan on ")) {
            return OptionalLong.empty();
          }
          Matcher rows = ESTIMATE.matcher(line);
          if (estimate.isEmpty() && rows.find()) {
            estimate = OptionalLong.of(Long.parseLong(rows.group(1)));
          }
        }
      }
      return estimate;
    }
  }

  /** Executes the statement, which fails if the columns are not as declared. */
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

  private String orderBy(String alias) {
    return order.isEmpty()
        ? ""
        : order.stream()
            .map(column -> SqlName.quoted(alias) + "." + column)
            .collect(Collectors.joining(", ", "\norder by ", ""));
  }

  private static boolean isOfATerm(SQLException e) {
    return e.getSQLState() != null && ERRORS_OF_TERMS.contains(e.getSQLState());
  }

  /** Finds the term that PostgreSQL rejected, because its message does not name it. */
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
