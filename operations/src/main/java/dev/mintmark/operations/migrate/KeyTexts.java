package dev.mintmark.operations.migrate;

import dev.mintmark.Quoted;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.operations.migrate.TextToUuid.Form;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the texts of some columns are written, each read once. For one thread. */
final class KeyTexts {
  /** A way to write an identifier; the labels are those of {@code classify.sql}. */
  enum Way {
    ULID_UPPER("ULID", Form.ULID, false, ""),
    ULID_LOWER("ulid", Form.ULID, true, ""),
    ULID_MIXED("Ulid", ""),
    ULID_LOOSE("ulid?", "ULIDs in another spelling"),
    UUID_LOWER("uuid", Form.UUID, true, ""),
    UUID_UPPER("UUID", Form.UUID, false, ""),
    UUID_MIXED("Uuid", ""),
    HEX_LOWER("hex", Form.UUID_WITHOUT_HYPHENS, true, "UUIDs without hyphens"),
    HEX_UPPER("HEX", Form.UUID_WITHOUT_HYPHENS, false, "UUIDs without hyphens"),
    UUID_LOOSE("uuid?", "UUIDs in another spelling"),
    EMPTY("empty", "empty texts"),
    PREFIXED("prefixed", "texts with a prefix"),
    OTHER("other", "not identifiers");

    private final String label;
    private final Optional<Form> form;
    private final boolean lower;

    /** What its texts are; empty if these are identifiers as they should be written. */
    private final String fault;

    Way(String label, String fault) {
      this(label, Optional.empty(), false, fault);
    }

    Way(String label, Form form, boolean lower, String fault) {
      this(label, Optional.of(form), lower, fault);
    }

    Way(String label, Optional<Form> form, boolean lower, String fault) {
      this.label = label;
      this.form = form;
      this.lower = lower;
      this.fault = fault;
    }

    /** Returns the form of its texts; empty if identifiers can be written in several such ways. */
    Optional<Form> form() {
      return form;
    }

    /** Whether texts that have a form are in small letters. */
    boolean isLower() {
      return lower;
    }

    boolean isUlid() {
      return this == ULID_UPPER || this == ULID_LOWER || this == ULID_MIXED || this == ULID_LOOSE;
    }

    boolean isUuid() {
      return this == UUID_LOWER || this == UUID_UPPER || this == UUID_MIXED || isLooseUuid();
    }

    /** Whether a text in this way spells an identifier if its spelling is changed. */
    boolean isLoose() {
      return this == ULID_LOOSE || isLooseUuid();
    }

    private boolean isLooseUuid() {
      return this == HEX_LOWER || this == HEX_UPPER || this == UUID_LOOSE;
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

  /** The words of the statement that stand for names. */
  private static final Pattern NAME = Pattern.compile("COLUMN|TABLE");

  private final Map<Way, Long> counts = new EnumMap<>(Way.class);
  private final List<Invalid> invalid = new ArrayList<>();
  private int room = Integer.MAX_VALUE;

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
    int length = member.column().type().length();
    room = length < 0 ? room : Math.min(room, length);
    String column = SqlName.quoted(member.column().name());
    String table = member.table().quoted();
    // In one pass: the name of the column may contain the word for the table.
    String sql =
        NAME.matcher(CLASSIFY.sql())
            .replaceAll(
                word -> Matcher.quoteReplacement(word.group().equals("TABLE") ? table : column));
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

  /** Returns the way in which most identifiers are written, of those that have a form. */
  Optional<Way> commonest() {
    return counts.keySet().stream()
        .filter(way -> way.form().isPresent())
        .reduce(BinaryOperator.maxBy(Comparator.comparing(this::count)));
  }

  /** Returns how many characters the shortest of the columns can hold. */
  int room() {
    return room;
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
