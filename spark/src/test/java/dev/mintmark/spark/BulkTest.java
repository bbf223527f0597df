package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.row;
import static dev.mintmark.spark.LocalSpark.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.spark.LocalSpark.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random identifiers, enough for several batches of Spark, compared with the results of core. One
 * ULID in eight has the version and variant of a UUID by chance; its time is still its first 48
 * bits.
 */
@Tag("long")
class BulkTest {
  private static final long SEED = 8;
  private static final int ROWS = 100_000;
  private static final String[] CALLS = {
    "ulid_text(id)", "unix_millis(ulid_time(id))", "typeid_text('user', id)"
  };

  private final List<UUID> ids = ids();

  @TempDir private Path directory;

  private static List<UUID> ids() {
    Random random = new Random(SEED);
    return Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()))
        .limit(ROWS)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void textsAreConvertedAsCoreConvertsThem(Mode mode) {
    List<Row> rows = ids.stream().map(id -> row(id.toString())).toList();

    Dataset<Row> query = table(mode.newSession(), "id string", rows).selectExpr(CALLS);

    assertThat(query.collectAsList())
        .as("seed %d", SEED)
        .isEqualTo(ids.stream().map(BulkTest::expected).toList());
  }

  /** Every third row is null, and the row after it is not an identifier. */
  @ParameterizedTest
  @EnumSource
  void rowsWithoutAnIdDoNotDisturbTheOthers(Mode mode) {
    List<Row> rows =
        IntStream.range(0, ROWS)
            .mapToObj(
                i ->
                    switch (i % 3) {
                      case 0 -> row(ids.get(i).toString());
                      case 1 -> row((Object) null);
                      default -> row("nonsense " + i);
                    })
            .toList();

    Dataset<Row> query =
        table(mode.newSession(), "id string", rows)
            .selectExpr("try_ulid_text(id)", "unix_millis(try_ulid_time(id))");

    assertThat(query.collectAsList())
        .as("seed %d", SEED)
        .isEqualTo(
            IntStream.range(0, ROWS)
                .mapToObj(i -> i % 3 == 0 ? textAndTime(ids.get(i)) : row(null, null))
                .toList());
  }

  /**
   * Spark has no type for the logical type UUID, but reads it as bytes if the schema says so.
   * Batches of a file are on the heap or off the heap.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void uuidsOfParquetAreReadAsTheirBytes(boolean offHeap) throws IOException {
    Path file = directory.resolve("uuids.parquet");
    writeUuids(file);
    SparkSession spark = LocalSpark.newSession();
    spark.conf().set("spark.sql.columnVector.offheap.enabled", offHeap);

    Dataset<Row> uuids = spark.read().schema("id binary, text string").parquet(file.toString());

    assertThat(uuids.schema().toDDL()).isEqualTo("id BINARY,text STRING");
    assertThat(uuids.selectExpr(CALLS).collectAsList())
        .as("seed %d", SEED)
        .isEqualTo(ids.stream().map(BulkTest::expected).toList());
    assertThat(uuids.where("ulid_uuid(ulid_text(id)) <> text").count()).isZero();
  }

  private void writeUuids(Path file) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            """
            message ids {
              required fixed_len_byte_array(16) id (UUID);
              required binary text (STRING);
            }
            """);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file)).withType(schema).build()) {
      for (UUID id : ids) {
        writer.write(
            new SimpleGroup(schema)
                .append("id", Binary.fromConstantByteArray(Ulid.of(id).toBytes()))
                .append("text", id.toString()));
      }
    }
  }

  private static Row expected(UUID id) {
    Ulid ulid = Ulid.of(id);
    return row(ulid.toString(), ulid.time().toEpochMilli(), TypeId.of("user", id).toString());
  }

  private static Row textAndTime(UUID id) {
    return row(Ulid.of(id).toString(), Ulid.of(id).time().toEpochMilli());
  }
}
