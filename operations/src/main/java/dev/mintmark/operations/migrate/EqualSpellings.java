package dev.mintmark.operations.migrate;

import dev.mintmark.Quoted;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds texts that are unique in an index, but would not be as uuid, because they spell one
 * identifier. An index over several columns allows one identifier in several of its rows, so the
 * texts must be in rows that agree in the other columns.
 */
final class EqualSpellings {
  private final Connection connection;
  private final TextToUuid conversion;

  /** The columns that change. */
  private final List<Member> changing;

  EqualSpellings(Connection connection, KeyGroup group, TextToUuid conversion) {
    this.connection = connection;
    this.conversion = conversion;
    this.changing = group.changing(conversion);
  }

  /** Returns two such texts of a column, for a message; empty if there are none. */
  Optional<String> find(Member member) throws SQLException {
    for (Index index : member.table().indexes()) {
      // An index with an expression, or one that is not valid, is refused by the preconditions.
      boolean isKept =
          index.unique()
              && index.valid()
              && !index.computes()
              && index.keyColumns().contains(Optional.of(member.column().name()));
      Optional<String> found = isKept ? find(member, index) : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<String> find(Member member, Index index) throws SQLException {
    String column = member.column().name();
    Set<String> others =
        index.keyColumns().stream()
            .flatMap(Optional::stream)
            .filter(other -> !other.equals(column))
            .collect(Collectors.toSet());
    List<String> conditions = new ArrayList<>();
    conditions.add(SqlName.quoted(column) + " is not null");
    if (!Definition.of(index).hasEqualNulls()) {
      others.forEach(other -> conditions.add(SqlName.quoted(other) + " is not null"));
    }
    index.condition().ifPresent(condition -> conditions.add("(" + condition + ")"));
    List<String> keys = new ArrayList<>();
    keys.add(conversion.spelling(SqlName.quoted(column)));
    others.forEach(other -> keys.add(key(member, other)));
    // Without an alias: the condition of the index may name the table.
    String sql =
        """
        select min(%1$s), max(%1$s)
        from %2$s
        where %3$s
        group by %4$s
        having min(%1$s) < max(%1$s)
        limit 1"""
            .formatted(
                TextToUuid.text(SqlName.quoted(column)),
                member.table().quoted(),
                String.join(" and ", conditions),
                String.join(", ", keys));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next()
          ? Optional.of(Quoted.of(row.getString(1)) + " and " + Quoted.of(row.getString(2)))
          : Optional.empty();
    }
  }

  /** Returns what another column of the key has in common in rows that will be equal in it. */
  private String key(Member member, String other) {
    boolean changes =
        changing.stream()
            .anyMatch(
                one -> one.table().equals(member.table()) && one.column().name().equals(other));
    return changes ? conversion.spelling(SqlName.quoted(other)) : SqlName.quoted(other);
  }
}
