package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.lines;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.PageJava;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The SQL of docs/spark.md runs, and its Java compiles. */
class SparkPageTest {
  private static final Path PAGE = Path.of("..", "docs", "spark.md");
  private static final Pattern ANSWERED = Pattern.compile("(?m)^(select .*); +-- (.*)$");

  @Test
  void theExamplesAnswerWhatThePageSays() throws IOException {
    SparkSession spark = LocalSpark.newSession();
    List<MatchResult> examples = ANSWERED.matcher(Files.readString(PAGE)).results().toList();

    assertThat(examples).hasSizeGreaterThanOrEqualTo(6);
    for (MatchResult example : examples) {
      assertThat(lines(spark.sql(example.group(1)))).containsExactly(example.group(2));
    }
  }

  @Test
  void theOtherQueriesRun() throws IOException {
    SparkSession spark = LocalSpark.newSession();
    spark
        .sql("select '017fe093-7adf-9932-aaaa-01fd0ba14d3f' id, 12.5 total")
        .createOrReplaceTempView("orders");
    List<String> queries =
        PageJava.blocks(PAGE, "sql").stream()
            .filter(block -> block.contains("from orders"))
            .toList();

    assertThat(queries).hasSize(2);
    assertThat(lines(spark.sql(withoutEnd(queries.get(0)))))
        .containsExactly("01FZG96YPZK4SANAG1ZM5T2K9Z|2022-03-31 15:23:55.999|12.5");
    assertThat(lines(spark.sql(withoutEnd(queries.get(1))))).containsExactly("1");
  }

  @Test
  void theJavaCompiles() throws IOException {
    List<String> blocks = PageJava.blocks(PAGE);
    assertThat(blocks).hasSize(1);
    String[] parts = blocks.get(0).split("\n\n", 2);

    assertThat(
            PageJava.errors(
                "{" + parts[1] + "}",
                List.of(
                    parts[0].replaceAll("^import |;$", ""),
                    "static org.apache.spark.sql.functions.col",
                    "org.apache.spark.sql.*"),
                "Dataset<Row> orders;"))
        .isEmpty();
  }

  /** Spark runs one statement, without a semicolon. */
  private static String withoutEnd(String statement) {
    return statement.replaceFirst(";\\s*$", "");
  }
}
