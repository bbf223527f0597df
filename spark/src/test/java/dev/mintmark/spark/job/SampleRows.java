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
 * of a parent, and a note. Depending on its number, a row has no parent, or a parent that is not a
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

  /** Returns the identifier of a row. */
  static UUID id(long number) {
    Random random = new Random(number);
    byte[] entropy = new byte[10];
    random.nextBytes(entropy);
    return Ulid.fromRandomness(START.plusMillis(number % 3 * MONTH_MILLIS + number), entropy)
        .toUuid();
  }

  /** Returns the text of the parent of a row; null for every fifth row. */
  static @Nullable String parent(long number) {
    return number % 5 == 0 ? null : isRejected(number) ? "order " + number : id(number / 2) + "";
  }

  static boolean isRejected(long number) {
    return number % 7 == 3 && number % 5 != 0;
  }

  static Row row(long number) {
    return RowFactory.create(number, id(number).toString(), parent(number), "note " + number);
  }

  /** Writes the rows from one number to before another to several Parquet files. */
  static void parquet(Path directory, int from, int to, int files) {
    dataset(from, to).repartition(files).write().parquet(directory.toString());
  }

  static Dataset<Row> dataset(int from, int to) {
    List<Row> rows = IntStream.range(from, to).mapToObj(SampleRows::row).toList();
    return LocalSpark.newSession().createDataFrame(rows, SCHEMA);
  }

  /**
   * Returns the expected output for the rows, sorted: number, id, its text, parent, its text, note.
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

  /** Returns the expected rejects for the rows, sorted. */
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

  /** Returns the rows of a Parquet directory as sorted text, with columns in the order of files. */
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
