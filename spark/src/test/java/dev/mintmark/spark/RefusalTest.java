package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.lines;
import static dev.mintmark.spark.Vectors.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Quoted;
import dev.mintmark.spark.LocalSpark.Mode;
import dev.mintmark.warehouse.WarehouseFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The errors of queries that fail. */
@Tag("long")
class RefusalTest {
  @Test
  void malformedIdentifiersAreRefusedInTheWordsOfJava() {
    for (JsonNode vector : Vectors.read("malformed.json")) {
      String form = text(vector, "form");
      if (form.equals("text") || form.equals("uuid")) {
        boolean isUuid = form.equals("uuid");
        assertThat(
                refusal(
                    isUuid ? WarehouseFunction.ULID_TEXT : WarehouseFunction.ULID_UUID,
                    text(vector, "input")))
            .as(text(vector, "name"))
            .startsWith(isUuid ? "malformed UUID " : "malformed ULID ")
            .contains(text(vector, "reason"));
      }
    }
  }

  @Test
  void malformedTypeIdsAreRefusedInTheWordsOfJava() {
    for (JsonNode vector : Vectors.refused("typeids.json")) {
      if (!vector.has("prefix")) {
        assertThat(refusal(WarehouseFunction.TYPEID_UUID, text(vector, "input")))
            .as(text(vector, "name"))
            .contains(text(vector, "reason"));
      }
    }
  }

  @Test
  void malformedPurisAreRefusedInTheWordsOfJava() {
    for (JsonNode vector : Vectors.refused("puris-malformed.json")) {
      for (WarehouseFunction part :
          List.of(
              WarehouseFunction.PURI_NAMESPACE,
              WarehouseFunction.PURI_COLLECTION,
              WarehouseFunction.PURI_IDENTIFIER)) {
        assertThat(refusal(part, text(vector, "input")))
            .as(text(vector, "name"))
            .contains(text(vector, "reason"));
      }
    }
  }

  @Test
  void numbersBehindAnotherPrefixAreRefusedInTheWordsOfThePack() {
    for (JsonNode vector : Vectors.read("sequences.json")) {
      String prefix = text(vector, "prefix");
      String input = text(vector, "input");
      boolean isRead = input.matches(prefix + "[0-9]{1,19}") && vector.has("loose");
      if (!isRead) {
        assertThat(refusal(WarehouseFunction.UNPREFIXED, prefix, input))
            .isEqualTo(
                "malformed sequence id "
                    + Quoted.of(input)
                    + ": expected "
                    + Quoted.of(prefix)
                    + " and 1 to 19 digits, at most 9223372036854775807");
      }
    }
  }

  /** Returns the message with which a function of constants fails. */
  private static String refusal(WarehouseFunction function, Object... arguments) {
    List<Expression> literals =
        Arrays.stream(arguments).<Expression>map(Literal$.MODULE$::apply).toList();
    Expression call = new SparkFunction(function, false).call(ScalaSeq.of(literals));
    SparkRuntimeException refusal =
        catchThrowableOfType(SparkRuntimeException.class, () -> call.eval(null));
    return refusal.getMessageParameters().getOrDefault("errorMessage", "");
  }

  @ParameterizedTest
  @EnumSource
  void aQueryFailsWithTheMessageAlone(Mode mode) {
    Dataset<Row> query =
        mode.newSession()
            .sql("select ulid_text(concat('01ARZ3NDEKTSV4RRFFQ69G5FA', id)) from range(1)");

    assertThatThrownBy(query::collectAsList)
        .isInstanceOf(SparkRuntimeException.class)
        .hasMessage(
            "[USER_RAISED_EXCEPTION] malformed UUID \"01ARZ3NDEKTSV4RRFFQ69G5FA0\":"
                + " it has 26 characters: expected 36 SQLSTATE: P0001")
        .hasCauseInstanceOf(MalformedIdException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ulid_text(unhex('00'))                  | malformed ULID: it has 1 bytes: expected 16",
        "ulid_time(unhex('00'))                  | malformed ULID: it has 1 bytes: expected 16",
        "typeid_text('user', unhex('00'))        | malformed ULID: it has 1 bytes: expected 16",
        "typeid_text('User', uuid())             | malformed prefix \"User\": expected at most 63",
        "ulid_min(timestamp '1969-12-31 23:59:59.999999Z') | time 1969-12-31T23:59:59.999Z: expected 1970",
        "ulid_max(timestamp_micros(281474976710656000))    | time +10889-08-02T05:31:50.656Z: expected 1970",
        "prefixed('PM1', 7, 6)                   | malformed prefix \"PM1\"",
        "prefixed('PM', -1, 6)                   | number -1: expected 0 to 9223372036854775807",
        "prefixed('PM', 7, 19)                   | width 19: expected 0 to 18 digits",
        "id_prefix('PM')                         | malformed id \"PM\": expected a TypeID, or 1 to 19 digits after a prefix",
        "puri('', 'meats', 'x')                  | malformed pURI: its namespace is empty",
      })
  void whatIsOutOfRangeIsRefused(String call, String message) {
    Dataset<Row> query = LocalSpark.newSession().sql("select " + call);

    assertThatThrownBy(query::collectAsList)
        .isInstanceOf(SparkRuntimeException.class)
        .hasMessageContaining(message);
  }

  /** As decimals, doubles and strings, from a table and as constants, under ANSI and without. */
  @ParameterizedTest
  @EnumSource
  void numbersAreNeitherRoundedNorCut(Mode mode) {
    List<JsonNode> vectors = Vectors.read("numbers.json");
    assertThat(vectors).hasSizeGreaterThan(8);
    for (boolean isAnsi : List.of(true, false)) {
      SparkSession spark = mode.newSession();
      spark.conf().set("spark.sql.ansi.enabled", isAnsi);
      for (JsonNode vector : vectors) {
        String number = text(vector, "number");
        String width = text(vector, "width");
        List<String> calls =
            new ArrayList<>(List.of(number + "BD, " + width + "BD", number + ", " + width));
        if (number.length() < 16) {
          calls.add(number + "D, " + width + "D");
          calls.add(number + "F, " + width + "F");
          calls.add("'" + number + "', '" + width + "'");
          calls.add("%sD + id, %sD + id".formatted(number, width));
        }
        calls.add("%sBD + id, %sBD + id".formatted(number, width));
        for (String arguments : calls) {
          Dataset<Row> query =
              spark.sql("select prefixed('PM', %s) from range(1)".formatted(arguments));
          assertThatThrownBy(query::collectAsList)
              .as("%s, ansi %s", arguments, isAnsi)
              .isInstanceOf(SparkRuntimeException.class)
              .hasMessageContaining(text(vector, "reason"));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void wholeNumbersOfEveryTypeArePrefixed(Mode mode) {
    Dataset<Row> query =
        mode.newSession()
            .sql(
                """
                select prefixed('PM', n, 4), prefixed('PM', n + 0BD, 4BD), prefixed('PM', n + 0D, 4D),
                  prefixed('PM', cast(n as int), 4S), prefixed('PM', cast(n as smallint), 4F),
                  prefixed('PM', cast(n as float), '4'), prefixed('PM', cast(n as string), 4L)
                from values (12L), (null) as t (n)
                """);

    assertThat(lines(query))
        .containsExactly("PM0012|".repeat(6) + "PM0012", "null|".repeat(6) + "null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ulid_text()                  | WRONG_NUM_ARGS",
        "ulid_text('a', 'b')          | WRONG_NUM_ARGS",
        "prefixed('PM', 7)            | WRONG_NUM_ARGS",
        "ulid_text(array('a'))        | DATATYPE_MISMATCH",
        "try_puri_namespace(map())    | DATATYPE_MISMATCH",
        "prefixed('PM', true, 6)      | DATATYPE_MISMATCH",
        "ulid_min(7)                  | DATATYPE_MISMATCH",
      })
  void otherArgumentsAreRefusedBySparkBeforeAQueryRuns(String call, String condition) {
    SparkSession spark = LocalSpark.newSession();

    assertThatThrownBy(() -> spark.sql("select " + call))
        .isInstanceOf(AnalysisException.class)
        .hasMessageStartingWith("[" + condition)
        .hasMessageContaining(call.substring(0, call.indexOf('(')));
  }
}
