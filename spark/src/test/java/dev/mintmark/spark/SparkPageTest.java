package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The page docs/spark.md. */
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
}
