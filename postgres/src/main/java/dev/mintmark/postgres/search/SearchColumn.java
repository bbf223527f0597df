package dev.mintmark.postgres.search;

import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A searched column. Immutable. */
sealed interface SearchColumn {
  /** The name of the column. */
  String name();

  /**
   * The condition that the column matches a term; empty if the column cannot hold the term.
   *
   * @param column its quoted name after the name of its table
   */
  Optional<SearchCondition> matching(SearchTerm term, String column, TextRules rules);

  /** A column that is compared as text. */
  record OfTexts(Lookup lookup, String name) implements SearchColumn {
    @Override
    public Optional<SearchCondition> matching(SearchTerm of, String column, TextRules rules) {
      // A short identifier is found by its index; inside values, all rows would be read for it.
      if (of.isIdentifier()
          && (lookup == Lookup.PATTERN || (lookup == Lookup.CONTAINS && of.isShort()))) {
        return Optional.empty();
      }
      String term = of.text();
      return Optional.of(
          switch (lookup) {
            case CONTAINS -> like(column, rules, "%" + literal(term) + "%");
            case STARTS_WITH -> like(column, rules, literal(term) + "%");
            case EQUALS -> SearchCondition.of(rules.lower(column) + " = " + rules.lower("?"), term);
            case FULL_TEXT ->
                SearchCondition.of(
                    "pg_catalog.to_tsvector(%1$s, cast(%2$s as text)) @@ pg_catalog.phraseto_tsquery(%1$s, cast(? as text))"
                        .formatted(rules.configuration(), column),
                    term);
            case PATTERN -> SearchCondition.of(rules.text(column) + " ~* " + rules.text("?"), term);
            case IDENTIFIER ->
                throw new IllegalStateException(name + " is not a column of identifiers");
          });
    }

    private static SearchCondition like(String column, TextRules rules, String pattern) {
      return SearchCondition.of(rules.lower(column) + " like " + rules.lower("?"), pattern);
    }

    /** The LIKE pattern that matches only this text. */
    private static String literal(String term) {
      return term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }
  }

  /** A column that is compared as identifiers. */
  record OfIdentifiers(Lookup lookup, String name, SearchIds ids) implements SearchColumn {
    /** The character before a term that is the beginning of an identifier. */
    private static final String TYPED_PREFIX = Lookup.STARTS_WITH.toString();

    /** Returns whether a text is an identifier of the column, as a whole. */
    boolean reads(String text) {
      return !ids.read(text).isEmpty();
    }

    @Override
    public Optional<SearchCondition> matching(SearchTerm of, String column, TextRules rules) {
      String term = of.text();
      if (ids.hasBeginnings() && term.startsWith(TYPED_PREFIX)) {
        return within(column, ids.beginningWith(term.substring(TYPED_PREFIX.length())));
      }
      return lookup == Lookup.STARTS_WITH
          ? within(column, ids.beginningWith(term))
          : equal(column, ids.read(term));
    }

    private static Optional<SearchCondition> equal(String column, Set<Object> values) {
      if (values.isEmpty()) {
        return Optional.empty();
      }
      String parameters = String.join(", ", Collections.nCopies(values.size(), "?"));
      String sql = values.size() == 1 ? column + " = ?" : column + " in (" + parameters + ")";
      return Optional.of(SearchCondition.of(sql, values.toArray()));
    }

    private static Optional<SearchCondition> within(String column, List<BeginningRange> ranges) {
      if (ranges.isEmpty()) {
        return Optional.empty();
      }
      List<SearchCondition> conditions = new ArrayList<>();
      for (BeginningRange range : ranges) {
        conditions.add(
            SearchCondition.of(column + " between ? and ?", range.first(), range.last()));
      }
      return Optional.of(SearchCondition.anyOf(conditions));
    }
  }

  /**
   * Returns the column of a declaration such as {@code ^name}: of identifiers only for {@code #}.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  static SearchColumn parse(String declaration) {
    Lookup lookup = Lookup.of(declaration);
    return lookup == Lookup.IDENTIFIER
        ? parse(declaration, SearchIds.UUIDS)
        : new OfTexts(lookup, checked(lookup.columnName(declaration)));
  }

  /**
   * Returns the column of identifiers of a declaration such as {@code #name}.
   *
   * @throws IllegalArgumentException if the name is malformed, or the lookup does not support
   *     identifiers
   */
  static SearchColumn parse(String declaration, SearchIds ids) {
    Lookup lookup = Lookup.of(declaration);
    ids.checkLookup(lookup, declaration);
    return new OfIdentifiers(lookup, checked(lookup.columnName(declaration)), ids);
  }

  private static String checked(String name) {
    var unused = SqlName.quoted(name);
    return name;
  }
}
