package dev.mintmark.spark.job;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.nullif;

import dev.mintmark.Quoted;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The files of a directory. A part is a sequence of files in the order of their paths; parts have
 * about the same size. A file belongs to one part, in which Spark may read the file in pieces.
 */
final class FileSource implements Source {
  /** The size of a part in bytes, unless the number of parts is given. */
  private static final long PART_BYTES = 1L << 30;

  private static final String GLOBBING = DataSource.GLOB_PATHS_KEY();

  private final SparkSession spark;
  private final Request.Files input;
  private final CsvFormat csv;
  private final String basePath;
  private final List<InputFile> files;

  private FileSource(
      SparkSession spark,
      Request.Files input,
      CsvFormat csv,
      String basePath,
      List<InputFile> files) {
    this.spark = spark;
    this.input = input;
    this.csv = csv;
    this.basePath = basePath;
    this.files = files;
  }

  /**
   * Lists the current files that Spark reads: no file whose name, or the name of whose directory,
   * begins with {@code _} or a dot.
   *
   * @throws IllegalArgumentException if there are no such files
   */
  static FileSource open(SparkSession spark, Request.Files input, CsvFormat csv)
      throws IOException {
    FileSystem fileSystem = input.path().getFileSystem(spark.sparkContext().hadoopConfiguration());
    if (!fileSystem.exists(input.path())) {
      throw new IllegalArgumentException("--input " + input.path() + ": there is no such path");
    }
    FileStatus root = fileSystem.getFileStatus(input.path());
    List<InputFile> files = list(fileSystem, root);
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "--input %s: there are no files, apart from files whose names begin with _ or a dot"
              .formatted(input.path()));
    }
    Path base = root.isDirectory() ? root.getPath() : root.getPath().getParent();
    return new FileSource(spark, input, csv, base.toString(), files);
  }

  /** Returns the files in the order of their paths. */
  private static List<InputFile> list(FileSystem fileSystem, FileStatus root) throws IOException {
    List<InputFile> files = new ArrayList<>();
    list(fileSystem, root, files);
    files.sort(Comparator.comparing(InputFile::path));
    return List.copyOf(files);
  }

  private static void list(FileSystem fileSystem, FileStatus status, List<InputFile> files)
      throws IOException {
    if (status.isFile()) {
      files.add(InputFile.of(status));
      return;
    }
    for (FileStatus child : fileSystem.listStatus(status.getPath())) {
      if (!DataFiles.isHidden(child.getPath().getName())) {
        list(fileSystem, child, files);
      }
    }
  }

  @Override
  public String origin() {
    return basePath;
  }

  @Override
  public StructType schema() {
    if (input.format() == Format.PARQUET) {
      return parquetSchema();
    }
    // The other files must have the header of the first: Spark checks it when it reads them.
    InputFile first =
        files.stream().filter(file -> file.bytes() > 0).findFirst().orElse(files.get(0));
    return csv.header() ? csvSchema(first) : rows(first).schema();
  }

  /**
   * Reads the names from the header. Spark would rename columns without a name or with the same
   * name, and then reject the file.
   */
  private StructType csvSchema(InputFile file) {
    Dataset<Row> rows = rows(file).limit(1);
    StructType schema = new StructType();
    for (Row header : rows.collectAsList()) {
      for (int i = 0; i < header.length(); i++) {
        String given = rows.schema().fieldNames()[i];
        boolean isOfPath = !given.equals("_c" + i);
        String name = isOfPath ? given : header.getString(i);
        if (name == null || name.isEmpty()) {
          throw new IllegalArgumentException(
              "%s: column %s has no name in the header".formatted(file.path(), i + 1));
        }
        if (List.of(schema.fieldNames()).contains(name)) {
          throw new IllegalArgumentException(
              "%s: two columns have the name %s".formatted(file.path(), Quoted.of(name)));
        }
        schema = schema.add(name, DataTypes.StringType);
      }
    }
    return schema;
  }

  private Dataset<Row> rows(InputFile file) {
    return reader().options(csv.toRead()).option("header", false).csv(paths(List.of(file)));
  }

  /**
   * Returns the columns of all files: otherwise a column that only later files have would be lost.
   */
  private StructType parquetSchema() {
    try {
      return reader().option("mergeSchema", "true").parquet(paths(files)).schema();
    } catch (Exception e) {
      if (!ParquetUuids.isReason(e)) {
        throw e;
      }
      return reader().schema(ParquetUuids.schema(spark, files)).parquet(paths(files)).schema();
    }
  }

  @Override
  public List<Part> divide(OptionalInt parts) {
    long total = files.stream().mapToLong(InputFile::bytes).sum();
    int wanted = parts.orElse((int) Math.min(PARTS_MAX, 1 + total / PART_BYTES));
    List<Part> divided = new ArrayList<>();
    List<InputFile> open = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < files.size(); i++) {
      open.add(files.get(i));
      before += files.get(i).bytes();
      int filesLeft = files.size() - i - 1;
      int partsLeft = wanted - divided.size() - 1;
      boolean isFull = before * wanted >= total * (divided.size() + 1);
      if (filesLeft == 0 || (partsLeft > 0 && (isFull || filesLeft <= partsLeft))) {
        divided.add(Part.ofFiles(divided.size() + 1, open));
        open = new ArrayList<>();
      }
    }
    return divided;
  }

  @Override
  public void checkUnchanged(Plan plan) {
    change(plan, files)
        .ifPresent(
            what -> {
              throw new IllegalArgumentException(
                  "the input has changed since the first run: %s; use --restart to start over"
                      .formatted(what));
            });
  }

  /** Returns what differs between the files of a plan and the current files, if anything. */
  private static Optional<String> change(Plan plan, List<InputFile> current) {
    Map<String, InputFile> now =
        current.stream().collect(Collectors.toMap(InputFile::path, Function.identity()));
    for (Part part : plan.parts()) {
      for (InputFile file : part.files()) {
        Optional<String> change = file.change(Optional.ofNullable(now.remove(file.path())));
        if (change.isPresent()) {
          return change;
        }
      }
    }
    return now.keySet().stream().findFirst().map(path -> path + " was added");
  }

  @Override
  public Dataset<Row> read(Plan plan, Part part) {
    StructType schema = (StructType) StructType.fromJson(plan.schema());
    if (input.format() == Format.PARQUET) {
      return reader().schema(schema).parquet(paths(part.files()));
    }
    StructType withRecord = schema.add(PartConversion.RECORD, DataTypes.StringType);
    Dataset<Row> raw =
        reader()
            .schema(withRecord)
            .options(csv.toRead())
            .option("columnNameOfCorruptRecord", PartConversion.RECORD)
            .csv(paths(part.files()));
    Set<String> others = new HashSet<>(directoryColumns(part));
    others.add(PartConversion.RECORD);
    return raw.select(
        Arrays.stream(raw.schema().fields())
            .map(field -> value(field, !others.contains(field.name())))
            .toArray(Column[]::new));
  }

  /** A field of CSV with a line break may have a quote that is not closed. */
  @Override
  public Column isSuspect(Plan plan) {
    if (input.format() != Format.CSV || csv.oneLineRecords()) {
      return lit(false);
    }
    StructType schema = (StructType) StructType.fromJson(plan.schema());
    return Stream.concat(Stream.of(PartConversion.RECORD), Stream.of(schema.fieldNames()))
        .map(PartConversion::column)
        .map(field -> field.contains("\n").or(field.contains("\r")))
        .reduce(Column::or)
        .orElseThrow();
  }

  /** Spark reads a file that is replaced meanwhile without an error, in part or as a whole. */
  @Override
  public void checkRead(Part part, boolean hasSuspects) throws IOException {
    for (InputFile file : part.files()) {
      file.change(current(new Path(file.path()))).ifPresent(FileSource::failChanged);
    }
    if (hasSuspects) {
      CsvQuotes.check(spark, part.files(), csv.delimiter());
    }
  }

  @Override
  public void checkAllRead(Plan plan) throws IOException {
    FileSystem fileSystem = fileSystem();
    List<InputFile> current = list(fileSystem, fileSystem.getFileStatus(input.path()));
    change(plan, current).ifPresent(FileSource::failChanged);
  }

  private Optional<InputFile> current(Path path) throws IOException {
    try {
      return Optional.of(InputFile.of(fileSystem().getFileStatus(path)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private FileSystem fileSystem() throws IOException {
    return input.path().getFileSystem(spark.sparkContext().hadoopConfiguration());
  }

  private static void failChanged(String what) {
    throw new JobException(
        "the input has changed during the run: %s; use --restart to start over".formatted(what));
  }

  /** Returns the names of the columns in names of directories. */
  private List<String> directoryColumns(Part part) {
    Dataset<Row> rows = reader().schema(new StructType()).csv(paths(part.files()));
    return List.of(rows.schema().fieldNames());
  }

  /** Replaces the text for null by null. Spark itself would also read {@code ""} as null. */
  private Column value(StructField field, boolean isOfFile) {
    Column value = PartConversion.column(field.name());
    return isOfFile && !csv.nullText().isEmpty() && field.dataType().equals(DataTypes.StringType)
        ? nullif(coalesce(value, lit("")), lit(csv.nullText())).as(field.name())
        : value;
  }

  /**
   * Returns a reader with the columns in names of directories. A star in a path is not a pattern.
   */
  private DataFrameReader reader() {
    return spark.read().option("basePath", basePath).option(GLOBBING, "false");
  }

  private static String[] paths(List<InputFile> files) {
    return files.stream().map(InputFile::path).toArray(String[]::new);
  }
}
