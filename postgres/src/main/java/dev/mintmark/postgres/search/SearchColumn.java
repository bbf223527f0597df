package dev.mintmark.postgres.search;

import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A column that is searched. Immutable. */
sealed interface SearchColumn {
  /** The name of the column. */
  String name();

  /**
   * The condition under which a value of the column is what the term looks for; empty if the term
   * is nothing that the column could hold.
   *
   * @param column its quoted name behind that of its table
   */
  Optional<SearchCondition> matching(String term, String column, TextRules rules);

  /** One that is compared as text. */
  record OfTexts(Lookup lookup, String name) implements SearchColumn {
    @Override
    public Optional<SearchCondition> matching(String term, String column, TextRules rules) {
      return Optional.of(
          switch (lookup) {
            case CONTAINS -> like(column, rules, "%" + literal(term) + "%");
            case STARTS_WITH -> like(column, rules, literal(term) + "%");
            case EQUALS -> SearchCondition.of(rules.lower(column) + " = " + rules.lower("?"), term);
            case FULL_TEXT ->
                SearchCondition.of(
                    "to_tsvector(%1$s, cast(%2$s as text)) @@ phraseto_tsquery(%1$s, cast(? as text))"
                        .formatted(rules.configuration(), column),
                    term);
            case PATTERN -> SearchCondition.of(rules.text(column) + " ~* " + rules.text("?"), term);
            case IDENTIFIER -> throw new IllegalStateException(name + " holds no identifiers");
          });
    }

    private static SearchCondition like(String column, TextRules rules, String pattern) {
      return SearchCondition.of(rules.lower(column) + " like " + rules.lower("?"), pattern);
    }

    /** The pattern of LIKE that only this text matches. */
    private static String literal(String term) {
      return term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }
  }

  /** One that is compared as identifiers. */
  record OfIdentifiers(Lookup lookup, String name, SearchIds ids) implements SearchColumn {
    /** What stands before a term that is to be taken for the beginning of an identifier. */
    private static final String TYPED_PREFIX = Lookup.STARTS_WITH.toString();

    @Override
    public Optional<SearchCondition> matching(String term, String column, TextRules rules) {
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

    private static Optional<SearchCondition> within(String column, List<UuidRange> ranges) {
      if (ranges.isEmpty()) {
        return Optional.empty();
      }
      List<SearchCondition> conditions = new ArrayList<>();
      for (UuidRange range : ranges) {
        conditions.add(
            SearchCondition.of(column + " between ? and ?", range.first(), range.last()));
      }
      return Optional.of(SearchCondition.anyOf(conditions));
    }
  }

  /**
   * The column of a declaration as {@code ^name}: of identifiers only where they are told.
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
   * The column of identifiers of a declaration as {@code #name}.
   *
   * @throws IllegalArgumentException if the name is malformed, or identifiers are not looked up so
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
