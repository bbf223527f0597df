package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The JavaScript for BigQuery and Snowflake agrees with Java on all values of {@link RandomIds}. In
 * Node.js: the interpreter of GraalJS would take hours for a million.
 */
@Tag("matrix")
class JavaScriptRandomTest {
  /** The first millisecond that timestamps of BigQuery and Snowflake do not have. */
  private static final long YEAR_10000 = Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli();

  @Test
  void randomValuesAreConvertedAsInJava() {
    List<NodeBodies> engines = NodeBodies.installed().map(NodeBodies.class::cast).toList();
    assumeTrue(!engines.isEmpty());

    RandomIds.compareAll(
        batch -> {
          for (NodeBodies sql : engines) {
            assertConverted(sql, batch);
            assertPuris(sql, batch);
            assertReadOrNot(sql, batch);
          }
        });
    for (NodeBodies sql : engines) {
      sql.compared()
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
  }

  private static void assertConverted(NodeBodies sql, List<RandomId> batch) {
    assertResult(sql, "ulid_text", batch, id -> List.of(uuid(id)), RandomId::text);
    assertResult(sql, "ulid_uuid", batch, id -> List.of(id.text()), JavaScriptRandomTest::uuid);
    assertResult(
        sql,
        "try_ulid_uuid",
        batch,
        id -> List.of(id.text().toLowerCase(Locale.ROOT)),
        JavaScriptRandomTest::uuid);
    assertResult(
        sql,
        "js_try_ulid_time",
        batch,
        id -> List.of(uuid(id)),
        id -> id.millis() < YEAR_10000 ? Long.toString(id.millis()) : null);
    assertResult(sql, "js_ulid_min", batch, id -> List.of("" + id.millis()), converted(4));
    assertResult(sql, "js_ulid_max", batch, id -> List.of("" + id.millis()), converted(5));
    assertResult(
        sql, "typeid_text", batch, id -> List.of(RandomId.TYPE, uuid(id)), RandomId::typeId);
    assertResult(sql, "typeid_uuid", batch, id -> List.of(id.typeId()), JavaScriptRandomTest::uuid);
    assertResult(
        sql,
        "js_prefixed",
        batch,
        id -> List.of(RandomId.PREFIX, "" + id.number(), "" + id.width()),
        RandomId::prefixed);
    assertResult(
        sql,
        "js_unprefixed",
        batch,
        id -> List.of(RandomId.PREFIX, id.prefixed()),
        id -> "" + id.number());
  }

  private static void assertPuris(NodeBodies sql, List<RandomId> batch) {
    assertResult(sql, "puri", batch, id -> List.of("a", "b", id.segment()), RandomId::puri);
    assertResult(sql, "puri_identifier", batch, id -> List.of(id.puri()), RandomId::segment);
  }

  private static void assertReadOrNot(NodeBodies sql, List<RandomId> batch) {
    List<String> functions = List.of("try_ulid_uuid", "try_ulid_text", "try_typeid_uuid");
    for (int i = 0; i < functions.size(); i++) {
      int place = i;
      assertResult(
          sql,
          functions.get(i),
          batch,
          id -> List.of(id.damaged().get(place)),
          id -> id.read().get(place));
    }
  }

  private static void assertResult(
      NodeBodies sql,
      String function,
      List<RandomId> batch,
      Function<RandomId, List<String>> arguments,
      Function<RandomId, @Nullable String> expected) {
    assertThat(sql.calls(function, batch.stream().map(arguments).toList()))
        .as("%s of %s", function, sql)
        .isEqualTo(batch.stream().map(expected).toList());
  }

  private static Function<RandomId, @Nullable String> converted(int place) {
    return id -> id.converted().get(place);
  }

  private static String uuid(RandomId id) {
    return id.uuid().toString();
  }
}
