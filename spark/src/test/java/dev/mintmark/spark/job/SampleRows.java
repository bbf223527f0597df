package dev.mintmark.spark.job;

import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.spark.LocalSpark;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Rows of orders: a number, an identifier of one of the first three months of 2026, the identifier
 * of a parent, and a note. By their numbers, some have no parent, and some a parent that is no
 * UUID.
 */
final class SampleRows {
  static final StructType SCHEMA =
      new StructType()
          .add("number", DataTypes.LongType)
          .add("id", DataTypes.StringType)
          .add("parent", DataTypes.StringType)
          .add("note", DataTypes.StringType);

  private static final long MONTH_MILLIS = 31L * 24 * 3600 * 1000;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private SampleRows() {}

  /** The identifier of the row of a number. */
  static UUID id(long number) {
    Random random = new Random(number);
    byte[] entropy = new byte[10];
    random.nextBytes(entropy);
    return Ulid.fromRandomness(START.plusMillis(number % 3 * MONTH_MILLIS + number), entropy)
        .toUuid();
  }

  /** The text of what stands for the parent of a row; null of every fifth. */
  static @Nullable String parent(long number) {
    return number % 5 == 0 ? null : isRejected(number) ? "order " + number : id(number / 2) + "";
  }

  static boolean isRejected(long number) {
    return number % 7 == 3 && number % 5 != 0;
  }

  static Row row(long number) {
    return RowFactory.create(number, id(number).toString(), parent(number), "note " + number);
  }

  /** Writes the rows from one number to before another into so many files of Parquet. */
  static void parquet(Path directory, int from, int to, int files) {
    dataset(from, to).repartition(files).write().parquet(directory.toString());
  }

  static Dataset<Row> dataset(int from, int to) {
    List<Row> rows = IntStream.range(from, to).mapToObj(SampleRows::row).toList();
    return LocalSpark.newSession().createDataFrame(rows, SCHEMA);
  }

  /**
   * What the output of the rows must have, sorted: number, id, its text, parent, its text, note.
   */
  static List<String> converted(int from, int to) {
    return IntStream.range(from, to)
        .filter(number -> !isRejected(number))
        .mapToObj(
            number ->
                String.join(
                    "|",
                    "" + number,
                    id(number) + "",
                    text(id(number).toString()),
                    parent(number) + "",
                    text(parent(number)),
                    "note " + number))
        .sorted()
        .toList();
  }

  /** What the rejects of the rows must have, sorted. */
  static List<String> rejected(int from, int to) {
    return IntStream.range(from, to)
        .filter(SampleRows::isRejected)
        .mapToObj(
            number ->
                String.join(
                    "|",
                    "" + number,
                    id(number) + "",
                    parent(number) + "",
                    "note " + number,
                    "parent",
                    reason(parent(number))))
        .sorted()
        .toList();
  }

  private static String text(@Nullable String id) {
    return id == null ? "null" : Ulid.of(Uuids.parse(id)).toString();
  }

  private static String reason(@Nullable String id) {
    try {
      return Uuids.parse(String.valueOf(id)) + " is well-formed";
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The rows of a directory of Parquet as text, sorted; the columns in the order of the files. */
  static List<String> read(Path directory, String... columns) {
    Dataset<Row> rows = LocalSpark.newSession().read().parquet(directory.toString());
    List<String> names = new ArrayList<>(Arrays.asList(rows.columns()));
    if (columns.length > 0) {
      names.retainAll(Arrays.asList(columns));
    }
    return LocalSpark.lines(
            rows.selectExpr(names.stream().map(n -> "`" + n + "`").toArray(String[]::new)))
        .stream()
        .sorted()
        .toList();
  }
}
