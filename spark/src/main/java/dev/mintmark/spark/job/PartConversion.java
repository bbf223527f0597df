package dev.mintmark.spark.job;

import static dev.mintmark.spark.MintmarkFunctions.try_ulid_text;
import static dev.mintmark.spark.MintmarkFunctions.try_ulid_time;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.date_format;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.timestamp_millis;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import dev.mintmark.Quoted;
import dev.mintmark.Spelling;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.jspecify.annotations.Nullable;

/**
 * Adds a readable column after each chosen column, and separates rows in which a chosen column is
 * neither null nor a UUID. Native expressions compute the readable columns. A Java function
 * computes the reasons of rejected rows, which are few.
 */
final class PartConversion {
  /**
   * A column of rejects: the name of the first malformed column, null if the record is malformed.
   */
  static final String COLUMN = "mintmark_column";

  /** A column of rejects: the reason. */
  static final String REASON = "mintmark_reason";

  /** A column of CSV rejects: the text of a record with more or fewer fields than the header. */
  static final String RECORD = "mintmark_record";

  /** An internal column: whether a row is rejected. It is not in any output. */
  static final String REJECTED = "mintmark_rejected";

  /** The most that the clock of a mint may be ahead of the clock of the job. */
  private static final Duration AHEAD = Duration.ofDays(1);

  private static final String WRONG_FIELDS =
      "the record does not have as many fields as the header";

  private static final UserDefinedFunction REASON_OF_TEXT =
      udf((UDF1<String, String>) PartConversion::reason, DataTypes.StringType);

  private static final UserDefinedFunction REASON_OF_BYTES =
      udf((UDF1<byte[], String>) PartConversion::reason, DataTypes.StringType);

  private final Request request;
  private final StructType schema;
  private final Instant newest;

  /**
   * Creates a conversion and checks the columns.
   *
   * @param schema the columns of the input
   * @param planned the time of the plan; an identifier with a time more than a day later counts as
   *     one without a time
   * @throws IllegalArgumentException if a chosen column is missing or is neither text nor bytes, or
   *     if two columns have the same name but for letter case
   */
  PartConversion(Request request, StructType schema, Instant planned) {
    this.request = request;
    this.schema = schema;
    this.newest = planned.plus(AHEAD);
    for (String column : request.columns()) {
      checkType(column, typeOf(column));
    }
    if (request.outputFormat() == Format.CSV) {
      Arrays.stream(schema.fields()).forEach(PartConversion::checkFitsCsv);
    }
    List<String> names = new ArrayList<>();
    for (String name : schema.fieldNames()) {
      checkDiffers(names, name);
    }
    Stream.concat(
            request.columns().stream().map(this::textName),
            Stream.of(COLUMN, REASON, RECORD, REJECTED))
        .forEach(name -> checkFree(names, name, "--suffix"));
    if (isPartitioned()) {
      checkFree(names, request.partitionColumn(), "--partition-column");
    }
  }

  private DataType typeOf(String column) {
    List<String> names = List.of(schema.fieldNames());
    int place = names.indexOf(column);
    if (place < 0) {
      throw noSuchColumn("--column", column, names);
    }
    return schema.fields()[place].dataType();
  }

  /**
   * Returns the error for a column that the input does not have.
   *
   * @param option the option that names the column
   * @param names the columns of the input
   */
  static IllegalArgumentException noSuchColumn(String option, String column, List<String> names) {
    String meant =
        Spelling.nearest(column, names)
            .map(name -> "; did you mean %s?".formatted(Quoted.of(name)))
            .orElse("");
    return new IllegalArgumentException(
        "%s %s: there is no such column%s (the columns are %s)"
            .formatted(option, Quoted.of(column), meant, String.join(", ", names)));
  }

  private static void checkType(String column, DataType type) {
    if (!(type instanceof StringType) && !type.equals(DataTypes.BinaryType)) {
      throw new IllegalArgumentException(
          "--column %s: expected the type string or binary, found %s"
              .formatted(Quoted.of(column), type.sql().toLowerCase(Locale.ROOT)));
    }
  }

  private static void checkFitsCsv(StructField field) {
    DataType type = field.dataType();
    if (type instanceof ArrayType
        || type instanceof MapType
        || type instanceof StructType
        || type instanceof VariantType) {
      throw new IllegalArgumentException(
          "--output-format csv: the column %s has the type %s, which is not a type of CSV fields"
              .formatted(Quoted.of(field.name()), type.sql().toLowerCase(Locale.ROOT)));
    }
  }

  private static void checkDiffers(List<String> names, String name) {
    names.stream()
        .filter(name::equalsIgnoreCase)
        .findFirst()
        .ifPresent(
            other -> {
              throw new IllegalArgumentException(
                  ("the columns %s and %s of the input differ only in letter case, which most readers"
                          + " of the output ignore: rename one of them")
                      .formatted(Quoted.of(other), Quoted.of(name)));
            });
    names.add(name);
  }

  /** Ignores letter case, because most readers of the output read {@code ID} as {@code id}. */
  private static void checkFree(List<String> names, String name, String option) {
    if (names.stream().anyMatch(name::equalsIgnoreCase)) {
      throw new IllegalArgumentException(
          name.startsWith("mintmark_")
              ? "the input has a column %s, a name that the job uses itself".formatted(name)
              : "there already is a column %s: choose another %s"
                  .formatted(Quoted.of(name), option));
    }
    names.add(name);
  }

  /**
   * Returns the rows with their readable columns, the column {@link #REJECTED}, and the partition
   * column, if any.
   */
  Dataset<Row> convert(Dataset<Row> rows) {
    List<Column> columns = new ArrayList<>();
    for (StructField field : rows.schema().fields()) {
      columns.add(column(field.name()));
      if (request.columns().contains(field.name())) {
        columns.add(try_ulid_text(column(field.name())).as(textName(field.name())));
      }
    }
    if (isPartitioned()) {
      columns.add(partition().as(request.partitionColumn()));
    }
    Dataset<Row> converted = rows.select(columns.toArray(Column[]::new));
    return converted.withColumn(REJECTED, isRejected(hasRecords(rows)));
  }

  /** Returns the converted rows that belong to the output. */
  Dataset<Row> accepted(Dataset<Row> converted) {
    return converted.filter(col(REJECTED).equalTo(false)).drop(REJECTED, RECORD);
  }

  /** Returns the rejected rows, unchanged, each with the reason. */
  Dataset<Row> rejected(Dataset<Row> converted) {
    boolean hasRecords = hasRecords(converted);
    List<Column> columns = new ArrayList<>();
    for (String name : schema.fieldNames()) {
      columns.add(column(name));
    }
    columns.add(
        ofFirstMalformed(hasRecords, name -> lit(name), lit(null).cast("string")).as(COLUMN));
    columns.add(ofFirstMalformed(hasRecords, this::reasonOf, lit(WRONG_FIELDS)).as(REASON));
    if (hasRecords) {
      columns.add(col(RECORD));
    }
    return converted.filter(col(REJECTED)).select(columns.toArray(Column[]::new));
  }

  private static boolean hasRecords(Dataset<Row> rows) {
    return Arrays.asList(rows.columns()).contains(RECORD);
  }

  /** Returns whether the output has directories by time. */
  boolean isPartitioned() {
    return request.partitionBy() != PartitionBy.NONE;
  }

  /** Returns the time of the first chosen column, if it has one. */
  Column time() {
    return try_ulid_time(column(request.columns().get(0)));
  }

  /** Returns whether the time of the first chosen column is more than a day after the plan. */
  Column isFromTheFuture() {
    return time().gt(timestamp_millis(lit(newest.toEpochMilli())));
  }

  private Column partition() {
    return date_format(when(not(isFromTheFuture()), time()), request.partitionBy().pattern());
  }

  private Column isRejected(boolean hasRecords) {
    Column malformed =
        request.columns().stream().map(this::isMalformed).reduce(Column::or).orElseThrow();
    return hasRecords ? col(RECORD).isNotNull().or(malformed) : malformed;
  }

  private Column isMalformed(String name) {
    return column(name).isNotNull().and(column(textName(name)).isNull());
  }

  /**
   * Returns an expression for the first malformed column, or {@code ofRecord} if the record itself
   * is malformed.
   */
  private Column ofFirstMalformed(
      boolean hasRecords, Function<String, Column> something, Column ofRecord) {
    Column chosen =
        hasRecords ? when(col(RECORD).isNotNull(), ofRecord) : when(lit(false), ofRecord);
    for (String name : request.columns()) {
      chosen = chosen.when(isMalformed(name), something.apply(name));
    }
    return chosen;
  }

  private Column reasonOf(String name) {
    boolean isText = typeOf(name) instanceof StringType;
    return (isText ? REASON_OF_TEXT : REASON_OF_BYTES).apply(column(name));
  }

  private static @Nullable String reason(@Nullable String id) {
    return id == null ? null : refusal(id, Uuids::parse);
  }

  private static @Nullable String reason(byte @Nullable [] id) {
    return id == null ? null : refusal(id, Ulid::fromBytes);
  }

  private static <T> @Nullable String refusal(T id, Function<T, Object> parse) {
    try {
      var unused = parse.apply(id);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private String textName(String name) {
    return name + request.suffix();
  }

  /** Returns the column of a name, which may contain dots. */
  static Column column(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }
}
