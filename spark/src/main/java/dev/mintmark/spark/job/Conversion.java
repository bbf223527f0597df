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
 * Puts a readable column behind each chosen one, and tells rows apart in which a chosen one is
 * neither null nor a UUID. The readable ones are made by Spark's own expressions; the reasons of
 * rejected rows, which are few, by a function of Java.
 */
final class Conversion {
  /** Of rejects: the first column that is malformed, null where none is. */
  static final String COLUMN = "mintmark_column";

  /** Of rejects: what is wrong with it. */
  static final String REASON = "mintmark_reason";

  /** Of rejects of CSV: the text of a record that has not as many fields as the header. */
  static final String RECORD = "mintmark_record";

  /** Whether a row is rejected; in no output. */
  static final String REJECTED = "mintmark_rejected";

  /** How far clocks that mint may be ahead of ours. */
  private static final Duration AHEAD = Duration.ofDays(1);

  private static final String WRONG_FIELDS = "the record has not as many fields as the header";

  private static final UserDefinedFunction REASON_OF_TEXT =
      udf((UDF1<String, String>) Conversion::reason, DataTypes.StringType);

  private static final UserDefinedFunction REASON_OF_BYTES =
      udf((UDF1<byte[], String>) Conversion::reason, DataTypes.StringType);

  private final Request request;
  private final StructType schema;
  private final Instant newest;

  /**
   * Prepares.
   *
   * @param schema the columns of the input
   * @param planned when the plan was made: an identifier that says it is from long after has no
   *     time
   * @throws IllegalArgumentException if a chosen column is missing, or is no text and no bytes, or
   *     a new one would have the name of another
   */
  Conversion(Request request, StructType schema, Instant planned) {
    this.request = request;
    this.schema = schema;
    this.newest = planned.plus(AHEAD);
    for (String column : request.columns()) {
      checkType(column, typeOf(column));
    }
    if (request.outputFormat() == Format.CSV) {
      Arrays.stream(schema.fields()).forEach(Conversion::checkFitsCsv);
    }
    List<String> names = new ArrayList<>(List.of(schema.fieldNames()));
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
      String meant =
          Spelling.nearest(column, names)
              .map(name -> "; did you mean %s?".formatted(Quoted.of(name)))
              .orElse("");
      throw new IllegalArgumentException(
          "--column %s: there is no such column%s (there are %s)"
              .formatted(Quoted.of(column), meant, String.join(", ", names)));
    }
    return schema.fields()[place].dataType();
  }

  private static void checkType(String column, DataType type) {
    if (!(type instanceof StringType) && !type.equals(DataTypes.BinaryType)) {
      throw new IllegalArgumentException(
          "--column %s: it is of the type %s, expected string or binary"
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
          "--output-format csv: the column %s is of the type %s, which is no field of CSV"
              .formatted(Quoted.of(field.name()), type.sql().toLowerCase(Locale.ROOT)));
    }
  }

  /** In any letter case: most who read the output take {@code ID} for {@code id}. */
  private static void checkFree(List<String> names, String name, String option) {
    if (names.stream().anyMatch(name::equalsIgnoreCase)) {
      throw new IllegalArgumentException(
          name.startsWith("mintmark_")
              ? "the input has a column %s, which the rejects would have too".formatted(name)
              : "there is a column %s already: choose another %s"
                  .formatted(Quoted.of(name), option));
    }
    names.add(name);
  }

  /**
   * The rows with their readable columns, a column that says {@link #REJECTED}, and the one of
   * partitions if there are any.
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

  /** Of converted rows, those of the output. */
  Dataset<Row> accepted(Dataset<Row> converted) {
    return converted.filter(col(REJECTED).equalTo(false)).drop(REJECTED, RECORD);
  }

  /** Of converted rows, the others as they came, each with the reason. */
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

  /** Whether the output has directories by time. */
  boolean isPartitioned() {
    return request.partitionBy() != PartitionBy.NONE;
  }

  /** The time of the first chosen column, if it has one. */
  Column time() {
    return try_ulid_time(column(request.columns().get(0)));
  }

  /** Whether the first chosen column says it was minted after this job was planned. */
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
   * Something of the first column that is malformed; of a broken record none of them is looked at.
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

  /** A column by its name alone, which may have dots in it. */
  static Column column(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }
}
