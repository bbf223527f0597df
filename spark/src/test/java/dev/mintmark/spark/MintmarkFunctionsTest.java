package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.lines;
import static dev.mintmark.spark.MintmarkFunctions.ulid_text;
import static dev.mintmark.spark.MintmarkFunctions.ulid_time;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.warehouse.WarehouseFunction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;

class MintmarkFunctionsTest {
  private static final Pattern EXAMPLE = Pattern.compile("> SELECT (.*);\\n *(.*)\\n");

  private final SparkSession spark = LocalSpark.newSession();

  @Test
  void everyFunctionIsDescribedWithAnExampleThatHolds() {
    for (String name : WarehouseFunction.names()) {
      String description =
          String.join("\n", lines(spark.sql("describe function extended " + name)));

      assertThat(description)
          .contains("Function: " + name, "Usage: " + name + "(", "Since: 0.1.0")
          .doesNotContain("_FUNC_");
      Matcher example = EXAMPLE.matcher(description);
      assertThat(example.find()).as(description).isTrue();
      assertThat(lines(spark.sql("select cast(%s as string)".formatted(example.group(1)))))
          .containsExactly(example.group(2));
    }
  }

  @Test
  void everyFunctionHasAMethodThatCallsIt() throws ReflectiveOperationException {
    List<Method> methods =
        Arrays.stream(MintmarkFunctions.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .toList();

    assertThat(methods.stream().map(Method::getName))
        .containsExactlyInAnyOrderElementsOf(WarehouseFunction.names());
    for (Method method : methods) {
      assertThat(called(method)).startsWith(method.getName() + "(a");
    }
  }

  /** Returns the header of the column that a method selects from columns a, b and c. */
  private String called(Method method) throws ReflectiveOperationException {
    Object[] columns =
        List.of("a", "b", "c").stream()
            .limit(method.getParameterCount())
            .map(functions::col)
            .toArray();
    try {
      return String.valueOf(method.invoke(null, columns));
    } catch (InvocationTargetException e) {
      throw new AssertionError(method.getName(), e);
    }
  }

  @Test
  void columnsAreSelectedByFunctionsAsBySql() {
    Dataset<Row> ids = spark.sql("select '017fe093-7adf-9932-aaaa-01fd0ba14d3f' id");
    Column text = ulid_text(col("id"));

    assertThat(lines(ids.select(text, ulid_time(col("id")))))
        .isEqualTo(lines(ids.selectExpr("ulid_text(id)", "ulid_time(id)")))
        .containsExactly("01FZG96YPZK4SANAG1ZM5T2K9Z|2022-03-31 15:23:55.999");
    assertThat(lines(ids.where(text.equalTo("01FZG96YPZK4SANAG1ZM5T2K9Z")))).hasSize(1);
  }
}
