package dev.mintmark.spark.job;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.types.StructType;

/**
 * Reads the schema of Parquet files with columns of the Parquet type {@code UUID}. Spark reads such
 * a column as 16 bytes, but only if the schema declares it as bytes.
 */
final class ParquetUuids {
  private static final String REFUSAL = "PARQUET_TYPE_ILLEGAL";

  /** How many footers are read at a time. */
  private static final int READERS = 16;

  private ParquetUuids() {}

  /** Returns whether Spark failed to infer the schema because of a Parquet type. */
  static boolean isReason(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause)
        .anyMatch(each -> String.valueOf(each.getMessage()).contains(REFUSAL));
  }

  /** Returns the columns of all files, from their footers. */
  static StructType schema(SparkSession spark, List<InputFile> files) {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    ParquetToSparkSchemaConverter converter =
        new ParquetToSparkSchemaConverter(spark.sessionState().conf());
    return footers(hadoop, files).stream()
        .distinct()
        .map(converter::convert)
        .reduce((one, other) -> one.merge(other, true))
        .orElseThrow();
  }

  /** Reads them in threads of its own, which wait for the file system most of their time. */
  private static List<MessageType> footers(Configuration hadoop, List<InputFile> files) {
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try {
      return files.stream()
          .map(file -> supplyAsync(() -> columns(hadoop, new Path(file.path())), readers))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    } finally {
      readers.shutdownNow();
    }
  }

  private static MessageType columns(Configuration hadoop, Path path) {
    try (ParquetFileReader file = ParquetFileReader.open(HadoopInputFile.fromPath(path, hadoop))) {
      MessageType columns = file.getFooter().getFileMetaData().getSchema();
      return new MessageType(columns.getName(), asBytes(columns));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Type> asBytes(GroupType columns) {
    return columns.getFields().stream().map(ParquetUuids::asBytes).toList();
  }

  private static Type asBytes(Type column) {
    if (!column.isPrimitive()) {
      return column.asGroupType().withNewFields(asBytes(column.asGroupType()));
    }
    PrimitiveType value = column.asPrimitiveType();
    return value.getLogicalTypeAnnotation() instanceof UUIDLogicalTypeAnnotation
        ? Types.primitive(value.getPrimitiveTypeName(), value.getRepetition())
            .length(value.getTypeLength())
            .named(value.getName())
        : value;
  }
}
