package dev.mintmark.operations.doctor;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Random UUIDs as keys of large tables: each row that is inserted touches another page. */
final class RandomKeys {
  private static final long ROWS_MIN = 1_000_000;

  /** The share of a sample that has to be of version 4. */
  private static final double SHARE_MIN = 0.95;

  private static final Pattern RANDOM_DEFAULT =
      Pattern.compile(
          "(?:(?:\\w+|\"[^\"]+\")\\.)?(?:gen_random_uuid|uuid_generate_v4|uuidv4)\\(\\)");

  /** A call of a function with the name of a mint that orders by time. */
  private static final Pattern ORDERED_DEFAULT =
      Pattern.compile(
          "(?i)(?:(?:\\w+|\"[^\"]+\")\\.)?\"?(?:\\w*ulid\\w*|\\w*uuid\\w*v?[67])\"?\\(.*");

  private static final Pattern VERSION_4 =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

  private RandomKeys() {}

  static List<Finding> findings(SchemaSnapshot snapshot, GuardedReader reader) throws SQLException {
    List<Column> keys =
        snapshot.columns().stream()
            .filter(c -> c.isUuid() && c.leads() && (c.uniqueAlone() || c.primary()))
            .filter(c -> !c.reference() && c.table().rows() >= ROWS_MIN)
            .toList();
    Samples samples =
        Samples.read(
            keys.stream()
                .filter(key -> !isRandomByDefault(key) && !isOrderedByDefault(key))
                .toList(),
            reader);
    List<Finding> findings = new ArrayList<>();
    for (Column key : keys) {
      if (isRandomByDefault(key)) {
        findings.add(finding(key, "default " + key.defaultExpression()));
      } else if (isRandom(samples.of(key))) {
        findings.add(finding(key, "version 4, by a sample of " + samples.of(key).size()));
      }
    }
    return findings;
  }

  private static boolean isRandomByDefault(Column column) {
    return RANDOM_DEFAULT.matcher(column.defaultExpression()).matches();
  }

  /** Rows from before the default was changed may be random: they are not written again. */
  private static boolean isOrderedByDefault(Column column) {
    return ORDERED_DEFAULT.matcher(column.defaultExpression()).matches();
  }

  private static boolean isRandom(List<String> sample) {
    long random = sample.stream().filter(value -> VERSION_4.matcher(value).matches()).count();
    return random > 0 && random >= sample.size() * SHARE_MIN;
  }

  private static Finding finding(Column key, String evidence) {
    return Finding.of(
        Check.RANDOM_KEYS,
        Severity.WARNING,
        key.object(),
        "random UUIDs (%s) are the key of %s, %s: each insert writes to another page of the index"
            .formatted(evidence, Words.rows(key.table().rows()), Words.bytes(key.table().bytes())),
        "mint in the order of time from now on, after mintmark pack install; existing rows may stay:"
            + " alter table %s alter column %s set default mintmark.ulid()"
                .formatted(key.table().shown(), key.shown()));
  }
}
