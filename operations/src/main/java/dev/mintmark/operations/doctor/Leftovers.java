package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What changes of the schema that were not finished have left. */
final class Leftovers {
  private static final SqlFile INDEXES = SqlFile.load(Leftovers.class, "invalid_indexes");
  private static final SqlFile CONSTRAINTS =
      SqlFile.load(Leftovers.class, "unvalidated_constraints");

  private static final String INVALID_INDEXES = "invalid indexes";

  /**
   * What {@code reindex concurrently} calls the index that it builds, and the one that it drops.
   */
  private static final Pattern REBUILDING = Pattern.compile("_cc(?:new|old)\\d*\"?$");

  private Leftovers() {}

  static List<Finding> findings(SchemaSnapshot snapshot, GuardedReader reader) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(invalidIndexes(snapshot, reader));
    findings.addAll(
        reader.query(
            CONSTRAINTS,
            "constraints that are not validated",
            snapshot.relations(),
            row ->
                unvalidated(
                    snapshot.table(row.getLong("root")),
                    row.getString("shown"),
                    row.getBoolean("is_reference"))));
    return findings;
  }

  private static List<Finding> invalidIndexes(SchemaSnapshot snapshot, GuardedReader reader)
      throws SQLException {
    List<Finding> findings = new ArrayList<>();
    reader.query(
        INDEXES,
        INVALID_INDEXES,
        snapshot.relations(),
        row -> {
          if (!row.getBoolean("is_certain")) {
            reader.skip(
                INVALID_INDEXES,
                "another role is building an index, and only members of pg_read_all_stats see which");
            return false;
          }
          return findings.add(
              invalid(
                  row.getString("shown"),
                  row.getBoolean("is_of_parts"),
                  row.getBoolean("is_unique"),
                  row.getLong("bytes")));
        });
    return findings;
  }

  private static Finding invalid(String index, boolean ofParts, boolean unique, long bytes) {
    return Finding.of(
        Check.INVALID_INDEX,
        Severity.WARNING,
        index,
        "it is not valid, so %sno search uses it, but every write does; %s"
            .formatted(unique ? "it keeps nothing unique and " : "", Words.bytes(bytes)),
        remedy(index, ofParts));
  }

  private static String remedy(String index, boolean ofParts) {
    if (ofParts) {
      return "attach an index of every part to it, or drop it: drop index " + index;
    }
    return REBUILDING.matcher(index).find()
        ? "a rebuild that failed has left it; drop it: drop index concurrently " + index
        : "build it again, or drop it: reindex index concurrently " + index;
  }

  private static Finding unvalidated(Table table, String constraint, boolean reference) {
    return Finding.of(
        Check.UNVALIDATED_CONSTRAINT,
        reference ? Severity.WARNING : Severity.NOTICE,
        table.shown() + "." + constraint,
        "rows from before it were not checked, so some may break it",
        "alter table %s validate constraint %s".formatted(table.shown(), constraint));
  }
}
