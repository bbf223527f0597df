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
 * A table and its searched columns. A declaration of a column is a character for the lookup and its
 * name:
 *
 * <pre>
 *   name        contains the term                           ignoring letter case
 *   ^company    starts with the term                        ignoring letter case
 *   =email      equals the term                             ignoring letter case
 *   &#64;comment    has the words of the term, in their order   full text
 *   $status     matches the term, a regular expression      ignoring letter case
 *   #id         is the identifier in the term               a uuid column, see {@link SearchIds}
 * </pre>
 *
 * <p>A column may be declared more than once. All lookups except the last read columns of any type,
 * cast to text by PostgreSQL. The text of a {@code tsvector} is not the original text, so declare
 * the column of that text. Names are case-sensitive: {@code Name} is not {@code name}.
 *
 * <p>Immutable and thread-safe.
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

  /** The quoted name. */
  private final Optional<String> key;

  private final List<SearchColumn> columns;
  private final List<Join> joins;

  /**
   * A joined table, whose rows belong to a row of this one: {@code table.column = this.ownColumn}.
   */
  private record Join(SearchTable table, String column, String ownColumn) {}

  private SearchTable(
      String name, Optional<String> key, List<SearchColumn> columns, List<Join> joins) {
    this.name = name;
    this.key = key;
    this.columns = columns;
    this.joins = joins;
  }

  /**
   * Returns a table without columns.
   *
   * @param name its name, optionally after its schema and a dot
   * @throws IllegalArgumentException if the name is empty, contains U+0000, or exceeds 63 bytes of
   *     UTF-8
   */
  public static SearchTable of(String name) {
    var unused = SqlName.quotedTable(name);
    return new SearchTable(name, Optional.empty(), List.of(), List.of());
  }

  /**
   * Returns this with a key, by which the results of this table and of each joined table are
   * combined, so that each search uses its own indexes. Without a key, all rows of this table are
   * read if a term is searched in two tables. A key is slower if most rows contain the term in
   * columns without an index, because a scan then finds the first rows sooner.
   *
   * @param column a column that is unique and never null
   * @throws IllegalArgumentException if the name is malformed as in {@link #of}
   */
  public SearchTable key(String column) {
    return new SearchTable(name, Optional.of(SqlName.quoted(column)), columns, joins);
  }

  /**
   * Returns this with more columns.
   *
   * @throws IllegalArgumentException if a name is malformed as in {@link #of}
   */
  public SearchTable columns(String... declarations) {
    return with(Stream.of(declarations).map(SearchColumn::parse));
  }

  /**
   * Returns this with another column of identifiers.
   *
   * @param declaration the name after {@code #}; for identifiers stored as uuid also after {@code
   *     ^}: then the term is the beginning of a ULID or of a UUID, with or without hyphens
   * @throws IllegalArgumentException if it has another first character, or its name is malformed as
   *     in {@link #of}
   */
  public SearchTable column(String declaration, SearchIds ids) {
    return with(Stream.of(SearchColumn.parse(declaration, ids)));
  }

  /**
   * Returns this with a joined table: a row is also found by its rows in that table, but only once.
   * Each term may be found in a different one of these rows.
   *
   * @param joined the other table, which may have joined tables itself
   * @param column its column that refers to this table, or that this one refers to
   * @param ownColumn the column of this table that is equal to it, of a comparable type, and of the
   *     same collation if they are texts
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

  /** The qualifier of its columns in a statement without an alias. */
  String ownAlias() {
    return name.substring(name.indexOf('.') + 1);
  }

  /** The number of searched columns, including those of joined tables. */
  int columnCount() {
    return columns.size() + joins.stream().mapToInt(join -> join.table.columnCount()).sum();
  }

  /** Returns the term, of which the columns of identifiers say whether it is one. */
  SearchTerm term(String text) {
    return new SearchTerm(text, identifiers().anyMatch(column -> column.reads(text)));
  }

  /** Returns this without the key: the condition then tests a given row, by its joined rows. */
  SearchTable withoutKey() {
    return new SearchTable(name, Optional.empty(), columns, joins);
  }

  /** Returns the quoted names of the tables that are asked whether a text contains the term. */
  Stream<String> containing() {
    boolean hasColumn =
        columns.stream()
            .anyMatch(
                column ->
                    column instanceof SearchColumn.OfTexts text
                        && text.lookup() == Lookup.CONTAINS);
    return Stream.concat(
        hasColumn ? Stream.of(quotedName()) : Stream.empty(),
        joins.stream().flatMap(join -> join.table.containing()));
  }

  /** The condition that a row matches the term; empty if no row can match. */
  Optional<SearchCondition> matching(SearchTerm term, String alias, TextRules rules) {
    return matching(term, SqlName.quoted(alias), rules, 1);
  }

  private Optional<SearchCondition> matching(
      SearchTerm term, String quotedAlias, TextRules rules, int depth) {
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
   * The conditions of the tables that can contain the term, this one first, by the alias of this
   * one. Those of joined tables are built once for all aliases: otherwise their number would double
   * with each table of a chain.
   */
  private List<Function<String, SearchCondition>> eachMatching(
      SearchTerm term, TextRules rules, int depth) {
    List<Function<String, SearchCondition>> each = new ArrayList<>();
    if (!own(term, "", rules).isEmpty()) {
      each.add(quotedAlias -> SearchCondition.anyOf(own(term, quotedAlias, rules)));
    }
    for (Join join : joins) {
      joined(join, term, rules, depth).ifPresent(each::add);
    }
    return each;
  }

  private List<SearchCondition> own(SearchTerm term, String quotedAlias, TextRules rules) {
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

  /** Queries each table separately, because no index can serve a condition on two tables. */
  private SearchCondition byKey(
      String key, String quotedAlias, String inner, List<Function<String, SearchCondition>> each) {
    String rows = "select %s.%s from %s as %s where ".formatted(inner, key, quotedName(), inner);
    return SearchCondition.unionOf(
            withAlias(each, inner).stream().map(one -> one.within(rows, "")).toList())
        .within(quotedAlias + "." + key + " in (", ")");
  }

  /** Tests whether such a row exists, so that this row is not repeated for each. */
  private static Optional<Function<String, SearchCondition>> joined(
      Join join, SearchTerm term, TextRules rules, int depth) {
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
   * Rejects an alias of the table that conflicts with the condition.
   *
   * @throws IllegalArgumentException if it is malformed, or a name that the condition uses for its
   *     own tables
   */
  static void checkAlias(String alias) {
    var unused = SqlName.quoted(alias);
    if (INNER_ALIAS.matcher(alias).matches()) {
      throw new IllegalArgumentException(
          "alias %s: the condition uses this name for its own tables: use another"
              .formatted(Quoted.of(alias)));
    }
  }

  /** The columns of identifiers, including those of joined tables, with their expected types. */
  Stream<String> identifierColumns() {
    return Stream.concat(
        ownIdentifiers()
            .map(
                column ->
                    "%s.%s of %s"
                        .formatted(
                            quotedName(),
                            SqlName.quoted(column.name()),
                            column.ids().storage().label())),
        joins.stream().flatMap(join -> join.table.identifierColumns()));
  }

  private Stream<SearchColumn.OfIdentifiers> identifiers() {
    return Stream.concat(
        ownIdentifiers(), joins.stream().flatMap(join -> join.table.identifiers()));
  }

  private Stream<SearchColumn.OfIdentifiers> ownIdentifiers() {
    return columns.stream()
        .filter(SearchColumn.OfIdentifiers.class::isInstance)
        .map(SearchColumn.OfIdentifiers.class::cast);
  }

  /** The alias of a table inside the condition; the dot makes conflicts unlikely. */
  private static String innerAlias(int depth) {
    return SqlName.quoted("inner." + depth);
  }

  private SearchTable with(Stream<SearchColumn> more) {
    List<SearchColumn> all = Stream.concat(columns.stream(), more).toList();
    return new SearchTable(name, key, all, joins);
  }
}
