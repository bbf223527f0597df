package dev.mintmark.operations.migrate;

import dev.mintmark.Quoted;
import dev.mintmark.operations.migrate.KeyGroup.Member;
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
    ULID_LOOSE("ulid?", "ULIDs in another spelling"),
    UUID_CANONICAL("uuid"),
    UUID_MIXED("Uuid"),
    UUID_LOOSE("uuid?", "UUIDs in another spelling"),
    EMPTY("empty", "empty texts"),
    PREFIXED("prefixed", "texts with a prefix"),
    OTHER("other", "not identifiers");

    private final String label;

    /** What its texts are; empty if these are identifiers as they should be written. */
    private final String fault;

    Way(String label) {
      this(label, "");
    }

    Way(String label, String fault) {
      this.label = label;
      this.fault = fault;
    }

    boolean isUlid() {
      return this == ULID_UPPER || this == ULID_LOWER || this == ULID_MIXED || this == ULID_LOOSE;
    }

    boolean isUuid() {
      return this == UUID_CANONICAL || this == UUID_MIXED || this == UUID_LOOSE;
    }

    /** Whether a text in this way spells an identifier if its spelling is changed. */
    boolean isLoose() {
      return this == ULID_LOOSE || this == UUID_LOOSE;
    }

    boolean isInvalid() {
      return !fault.isEmpty();
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
  private final List<Invalid> invalid = new ArrayList<>();

  /**
   * Texts of a column that are not identifiers as they should be written, all in one way.
   *
   * @param example one of them
   */
  record Invalid(Member member, Way way, long count, String example) {
    @Override
    public String toString() {
      return "%,d in %s are %s%s"
          .formatted(
              count,
              member.shown(),
              way.fault,
              way == Way.EMPTY ? "" : ", such as " + Quoted.of(example));
    }
  }

  /** Reads a column, if it holds text. */
  void read(Connection connection, Member member) throws SQLException {
    String sql =
        CLASSIFY
            .sql()
            .replace("COLUMN", SqlName.quoted(member.column().name()))
            .replace("TABLE", member.table().quoted());
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        Way way = Way.of(row.getString("way"));
        counts.merge(way, row.getLong("values"), Long::sum);
        if (way.isInvalid()) {
          invalid.add(new Invalid(member, way, row.getLong("values"), row.getString("least")));
        }
      }
    }
  }

  /** Returns the number of all texts. */
  long count() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
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

  /** Returns what is no identifier as it should be written, for each column and way. */
  List<Invalid> invalid() {
    return List.copyOf(invalid);
  }
}
