package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.row;
import static dev.mintmark.spark.LocalSpark.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import dev.mintmark.spark.LocalSpark.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The functions of Spark agree with Java on all values of {@link RandomIds}. */
@Tag("matrix")
class RandomValuesTest {
  private static final String COLUMNS =
      "uuid string, text string, typeid string, number bigint, width int, segment string,"
          + " ulid_damaged string, uuid_damaged string, typeid_damaged string";

  /** In the order of {@link RandomId#converted}, the pURI, and that of {@link RandomId#read}. */
  private static final String[] CALLS = {
    "ulid_text(uuid)",
    "ulid_uuid(text)",
    "try_ulid_uuid(lower(text))",
    "unix_millis(ulid_time(uuid))",
    "ulid_min(ulid_time(uuid))",
    "ulid_max(ulid_time(uuid))",
    "typeid_text('user', uuid)",
    "typeid_uuid(typeid)",
    "prefixed('PM', number, width)",
    "unprefixed('PM', prefixed('PM', number, width))",
    "puri('a', 'b', segment)",
    "puri_identifier(puri('a', 'b', segment))",
    "try_ulid_uuid(ulid_damaged)",
    "try_ulid_text(uuid_damaged)",
    "try_typeid_uuid(typeid_damaged)"
  };

  @Test
  void randomValuesAreConvertedAsInJava() {
    SparkSession spark = Mode.WHOLE_STAGE.newSession();

    RandomIds.compareAll(
        batch ->
            assertThat(results(spark, batch))
                .isEqualTo(batch.stream().map(RandomValuesTest::expected).toList()));

    LocalSpark.compared()
        .values(
            Operation.FORMAT,
            Operation.PARSE,
            Operation.REJECT,
            Operation.TIME,
            Operation.BOUNDS,
            Operation.SEQUENCE,
            Operation.TYPEID,
            Operation.PURI);
  }

  private static List<List<@Nullable String>> results(SparkSession spark, List<RandomId> batch) {
    List<Row> rows = batch.stream().map(RandomValuesTest::values).toList();
    return table(spark, COLUMNS, rows).selectExpr(CALLS).collectAsList().stream()
        .map(RandomValuesTest::texts)
        .toList();
  }

  private static Row values(RandomId id) {
    List<String> damaged = id.damaged();
    return row(
        id.uuid().toString(),
        id.text(),
        id.typeId(),
        id.number(),
        id.width(),
        id.segment(),
        damaged.get(0),
        damaged.get(1),
        damaged.get(2));
  }

  private static List<@Nullable String> texts(Row row) {
    @Nullable String[] texts = new String[row.size()];
    IntStream.range(0, texts.length)
        .forEach(i -> texts[i] = row.isNullAt(i) ? null : row.get(i).toString());
    return Arrays.asList(texts);
  }

  private static List<@Nullable String> expected(RandomId id) {
    List<@Nullable String> expected = new ArrayList<>(id.converted());
    expected.add(id.puri());
    expected.add(id.segment());
    expected.addAll(id.read());
    return expected;
  }
}
