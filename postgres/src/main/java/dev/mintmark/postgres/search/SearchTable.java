package dev.mintmark.postgres.search;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table and its columns that are searched. A column is declared by its name behind the lookup
 * that it is searched by:
 *
 * <pre>
 *   name        contains the term                           letter case aside
 *   ^company    starts with the term                        letter case aside
 *   =email      equals the term                             letter case aside
 *   &#64;comment    has the words of the term, in their order   full text
 *   $status     matches the term, a regular expression      letter case aside
 *   #id         is the identifier that the term is          a uuid column, see {@link SearchIds}
 * </pre>
 *
 * <p>A column may be declared more than once. All but the last read columns of any type, as the
 * text that PostgreSQL casts them to; of a {@code tsvector} that is not the text it was made of, so
 * declare the column with the text. Names are taken as PostgreSQL keeps them: {@code Name} is not
 * {@code name}.
 *
 * <p>Immutable, and so safe in any number of threads.
 *
 * <pre>{@code
 * SearchTable payments =
 *     SearchTable.of("payments")
 *         .columns("#id", "name", "^company")
 *         .join(SearchTable.of("payment_notes").columns("note"), "payment_id", "id");
 * }</pre>
 */
public final class SearchTable {
  private static final Pattern INNER_ALIAS = Pattern.compile("inner\\.\\d+");

  private final String name;

  /** Quoted. */
  private final Optional<String> key;

  private final List<SearchColumn> columns;
  private final List<Join> joins;

  /** A table of which rows belong to a row of this one: {@code table.column = this.ownColumn}. */
  private record Join(SearchTable table, String column, String ownColumn) {}

  private SearchTable(
      String name, Optional<String> key, List<SearchColumn> columns, List<Join> joins) {
    this.name = name;
    this.key = key;
    this.columns = columns;
    this.joins = joins;
  }

  /**
   * A table without columns yet.
   *
   * @param name with its schema and a dot before it where it has one
   * @throws IllegalArgumentException if the name is empty, has U+0000 in it, or exceeds 63 bytes of
   *     UTF-8
   */
  public static SearchTable of(String name) {
    var unused = SqlName.quotedTable(name);
    return new SearchTable(name, Optional.empty(), List.of(), List.of());
  }

  /**
   * Returns the same with a key, by which what is found in this table and in each joined one is put
   * together: so each uses its indexes. Without one all rows of this table are read whenever a term
   * is looked for in two tables. It takes longer where columns without an index have the term in
   * most rows, of which the first would have done.
   *
   * @param column unique, and null in no row
   * @throws IllegalArgumentException if the name is malformed as in {@link #of}
   */
  public SearchTable key(String column) {
    return new SearchTable(name, Optional.of(SqlName.quoted(column)), columns, joins);
  }

  /**
   * Returns the same with more columns.
   *
   * @throws IllegalArgumentException if a name is malformed as in {@link #of}
   */
  public SearchTable columns(String... declarations) {
    return with(Stream.of(declarations).map(SearchColumn::parse));
  }

  /**
   * Returns the same with a column of identifiers more.
   *
   * @param declaration behind {@code #}; of those that are kept as uuid also behind {@code ^}: then
   *     the term is the beginning of a ULID or of a UUID, with or without hyphens
   * @throws IllegalArgumentException if it is behind anything else, or its name is malformed as in
   *     {@link #of}
   */
  public SearchTable column(String declaration, SearchIds ids) {
    return with(Stream.of(SearchColumn.parse(declaration, ids)));
  }

  /**
   * Returns the same with a table joined: a row is found by what is searched in any of the rows of
   * that table that belong to it, and still only once. Each term may be found in another of them.
   *
   * @param joined the other table, which may have joined tables itself
   * @param column its column that refers to this table, or that this one refers to
   * @param ownColumn the column of this table that is equal to it, of a type that can be compared
   *     with that, and of one collation with it where they are texts
   * @throws IllegalArgumentException if a name is malformed as in {@link #of}
   */
  public SearchTable join(SearchTable joined, String column, String ownColumn) {
    Join join = new Join(joined, SqlName.quoted(column), SqlName.quoted(ownColumn));
    List<Join> more = Stream.concat(joins.stream(), Stream.of(join)).toList();
    return new SearchTable(name, key, columns, more);
  }

  /** The name of the table, quoted. */
  String quotedName() {
    return SqlName.quotedTable(name);
  }

  /** The name by which its columns are called in a statement that gives it no other. */
  String ownAlias() {
    return name.substring(name.indexOf('.') + 1);
  }

  /** How many columns are searched, those of joined tables among them. */
  int columnCount() {
    return columns.size() + joins.stream().mapToInt(join -> join.table.columnCount()).sum();
  }

  /** The condition under which a row is found by the term; empty if none can be. */
  Optional<SearchCondition> matching(String term, String alias, TextRules rules) {
    return matching(term, SqlName.quoted(alias), rules, 1);
  }

  private Optional<SearchCondition> matching(
      String term, String quotedAlias, TextRules rules, int depth) {
    List<Function<String, SearchCondition>> each = eachMatching(term, rules, depth + 1);
    if (each.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        key.isPresent() && each.size() > 1
            ? byKey(key.get(), quotedAlias, innerAlias(depth), each)
            : SearchCondition.anyOf(withAlias(each, quotedAlias)));
  }

  /**
   * The conditions of the tables that can have the term, this one first, by the alias that this one
   * has. Those of joined tables are made once for all aliases: their number would double with each
   * table of a chain.
   */
  private List<Function<String, SearchCondition>> eachMatching(
      String term, TextRules rules, int depth) {
    List<Function<String, SearchCondition>> each = new ArrayList<>();
    if (!own(term, "", rules).isEmpty()) {
      each.add(quotedAlias -> SearchCondition.anyOf(own(term, quotedAlias, rules)));
    }
    for (Join join : joins) {
      joined(join, term, rules, depth).ifPresent(each::add);
    }
    return each;
  }

  private List<SearchCondition> own(String term, String quotedAlias, TextRules rules) {
    List<SearchCondition> own = new ArrayList<>();
    for (SearchColumn column : columns) {
      String qualified = quotedAlias + "." + SqlName.quoted(column.name());
      column.matching(term, qualified, rules).ifPresent(own::add);
    }
    return own;
  }

  private static List<SearchCondition> withAlias(
      List<Function<String, SearchCondition>> each, String quotedAlias) {
    return each.stream().map(one -> one.apply(quotedAlias)).toList();
  }

  /** Asks each table on its own, since no index serves a condition on two of them. */
  private SearchCondition byKey(
      String key, String quotedAlias, String inner, List<Function<String, SearchCondition>> each) {
    String rows = "select %s.%s from %s as %s where ".formatted(inner, key, quotedName(), inner);
    return SearchCondition.unionOf(
            withAlias(each, inner).stream().map(one -> one.within(rows, "")).toList())
        .within(quotedAlias + "." + key + " in (", ")");
  }

  /** Asks whether there is such a row, and so does not repeat this one for each. */
  private static Optional<Function<String, SearchCondition>> joined(
      Join join, String term, TextRules rules, int depth) {
    String inner = innerAlias(depth);
    String from =
        "exists (select from %s as %s where %s.%s = "
            .formatted(join.table.quotedName(), inner, inner, join.column);
    return join.table
        .matching(term, inner, rules, depth + 1)
        .map(
            condition ->
                quotedAlias ->
                    condition.within(from + quotedAlias + "." + join.ownColumn + " and ", ")"));
  }

  /**
   * Refuses an alias of the table that the condition could not be told apart by.
   *
   * @throws IllegalArgumentException if it is no name, or one that the condition gives to tables
   *     inside of it
   */
  static void checkAlias(String alias) {
    var unused = SqlName.quoted(alias);
    if (INNER_ALIAS.matcher(alias).matches()) {
      throw new IllegalArgumentException(
          "alias %s: tables inside of the condition are called so: choose another"
              .formatted(Quoted.of(alias)));
    }
  }

  /** The columns of identifiers, those of joined tables among them, and what they must be. */
  Stream<String> identifierColumns() {
    return Stream.concat(
        columns.stream()
            .filter(SearchColumn.OfIdentifiers.class::isInstance)
            .map(SearchColumn.OfIdentifiers.class::cast)
            .map(
                column ->
                    "%s.%s of %s"
                        .formatted(
                            quotedName(),
                            SqlName.quoted(column.name()),
                            column.ids().storage().label())),
        joins.stream().flatMap(join -> join.table.identifierColumns()));
  }

  /** The name of a table inside the condition; the dot keeps it apart from most names in use. */
  private static String innerAlias(int depth) {
    return SqlName.quoted("inner." + depth);
  }

  private SearchTable with(Stream<SearchColumn> more) {
    List<SearchColumn> all = Stream.concat(columns.stream(), more).toList();
    return new SearchTable(name, key, all, joins);
  }
}
