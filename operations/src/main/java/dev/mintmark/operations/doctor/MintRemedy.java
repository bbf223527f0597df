package dev.mintmark.operations.doctor;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The remedy for a default that takes the time at which its transaction began. */
final class MintRemedy {
  private static final String CLOCK = "take clock_timestamp() there";

  private MintRemedy() {}

  /**
   * Returns the remedy for columns with the same default. A mint of ours is part of it if it makes
   * what the columns hold: PostgreSQL would store a UUID among ULIDs in a text column.
   */
  static String of(List<Column> columns, GuardedReader reader) throws SQLException {
    List<Column> texts = columns.stream().filter(Column::isText).toList();
    Samples samples = Samples.read(texts, reader);
    Set<String> mints = new LinkedHashSet<>();
    for (Column column : columns) {
      mint(column, samples.of(column)).ifPresent(mints::add);
    }
    if (mints.isEmpty()) {
      return CLOCK;
    }
    List<String> defaults = new ArrayList<>();
    mints.forEach(mint -> defaults.add("default " + mint));
    return CLOCK + ", or " + String.join(", or ", defaults) + " (mintmark pack install)";
  }

  /** The mint for a column; empty if none of ours makes what the column holds. */
  private static Optional<String> mint(Column column, List<String> sample) {
    if (column.isUuid()) {
      return Optional.of("mintmark.ulid()");
    }
    if (!column.isText()) {
      return Optional.empty();
    }
    if (sample.isEmpty()) {
      return Optional.of("mintmark.ulid_text(mintmark.ulid_monotonic())");
    }
    String value = sample.get(0);
    Optional<String> mint =
        switch (value.length()) {
          case 26 -> Optional.of("mintmark.ulid_text(mintmark.ulid_monotonic())");
          case 32 -> Optional.of("replace(mintmark.ulid()::text, '-', '')");
          case 36 -> Optional.of("mintmark.ulid()::text");
          default -> Optional.empty();
        };
    boolean isLower = value.equals(value.toLowerCase(Locale.ROOT));
    boolean isUpper = value.equals(value.toUpperCase(Locale.ROOT));
    return mint.map(
        sql ->
            value.length() == 26
                ? (isLower ? "lower(" + sql + ")" : sql)
                : (isUpper && !isLower ? "upper(" + sql + ")" : sql));
  }
}
