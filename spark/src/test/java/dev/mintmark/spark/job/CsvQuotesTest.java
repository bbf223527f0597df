package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvQuotesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a;b\n1;2",
        "\uFEFF\"a\nb\";c\n",
        "1;\"a\nb\"\n2;\"\"\n3;\"a\"\"\nb\"",
        "1;\"a\r\nb\"\r\n\"\"\"\r\n\"\"\";2\r\n",
        "1;\"a\nb\" \t;2\n",
        // Only fields with a line break can contain rows.
        "1;5\" pipe\n2;a\"b\"\n",
        "1;\"a\"b\n2;\"c\n d\"\n",
        "1;\"a",
      })
  void fieldsThatEndWithTheirQuoteAreAccepted(String text) throws IOException {
    assertThat(CsvQuotes.malformed(new StringReader(text), ';')).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'1;\"a\n2;b\n'         | 1",
        "'n;id\n1;\"a\r\n2;b'   | 2",
        "'1;a\n2;\"a\n3;\"b\"\n' | 2",
        "'1;\"a\n\" b;2\n'      | 1",
        "'1;\"a\nb\"\n2;\"\n'   | 3",
        "'\"a\"\";\n2;b'        | 1",
      })
  void fieldsThatMayContainRowsAreFound(String text, long line) throws IOException {
    assertThat(CsvQuotes.malformed(new StringReader(text), ';')).isEqualTo(OptionalLong.of(line));
  }
}
