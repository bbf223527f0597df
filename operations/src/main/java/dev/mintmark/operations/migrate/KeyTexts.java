package dev.mintmark.operations.migrate;

import dev.mintmark.Quoted;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How the texts of some columns are written, each read once. For one thread. */
final class KeyTexts {
  /** A way to write an identifier; the labels are those of {@code classify.sql}. */
  enum Way {
    ULID_UPPER("ULID"),
    ULID_LOWER("ulid"),
    ULID_MIXED("Ulid"),
    ULID_LOOSE("ulid?"),
    UUID_CANONICAL("uuid"),
    UUID_MIXED("Uuid"),
    UUID_LOOSE("uuid?"),
    OTHER("other");

    private final String label;

    Way(String label) {
      this.label = label;
    }

    boolean isUlid() {
      return this == ULID_UPPER || this == ULID_LOWER || this == ULID_MIXED || this == ULID_LOOSE;
    }

    boolean isUuid() {
      return this == UUID_CANONICAL || this == UUID_MIXED || this == UUID_LOOSE;
    }

    private static Way of(String label) {
      for (Way way : values()) {
        if (way.label.equals(label)) {
          return way;
        }
      }
      throw new IllegalStateException("no way to write identifiers is labelled " + label);
    }
  }

  private static final SqlFile CLASSIFY = SqlFile.load(KeyTexts.class, "classify");

  private final Map<Way, Long> counts = new EnumMap<>(Way.class);
  private final List<String> invalid = new ArrayList<>();

  /** Reads a column, if it holds text. */
  void read(Connection connection, LiveTable table, Column column) throws SQLException {
    String sql =
        CLASSIFY
            .sql()
            .replace("COLUMN", SqlName.quoted(column.name()))
            .replace("TABLE", table.quoted());
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        Way way = Way.of(row.getString("way"));
        counts.merge(way, row.getLong("values"), Long::sum);
        if (way == Way.OTHER || way == Way.ULID_LOOSE || way == Way.UUID_LOOSE) {
          invalid.add(
              "%d in %s.%s, such as %s"
                  .formatted(
                      row.getLong("values"),
                      table.shown(),
                      column.name(),
                      Quoted.of(row.getString("least"))));
        }
      }
    }
  }

  long count(Way way) {
    return counts.getOrDefault(way, 0L);
  }

  boolean hasUlids() {
    return counts.keySet().stream().anyMatch(Way::isUlid);
  }

  boolean hasUuids() {
    return counts.keySet().stream().anyMatch(Way::isUuid);
  }

  /** What is no identifier as it should be written, a text for each column and way. */
  List<String> invalid() {
    return invalid;
  }
}
