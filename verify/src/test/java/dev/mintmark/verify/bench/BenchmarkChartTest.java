package dev.mintmark.verify.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Checkout;
import dev.mintmark.verify.bench.BenchmarkChart.Bar;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The charts in docs show what the tables of their pages say. */
class BenchmarkChartTest {
  private static final String OPERATIONS =
      """
      2026-01-02, JDK 17, a & b, 2 processors

      | operation | | 1 thread | | 2 threads | | |
      |---|---|--:|--:|--:|--:|--:|
      | Parse | **mintmark** | 10.0 ns |  | 12.0 ns |  | 32 B |
      |  | slow | 25.0 ns | 2.5x | 12.0 ns | 1.0x | 80 B |
      |  | quick | 5.0 ns | 0.5x | 12.0 ns | 1.0x | 80 B |
      | Mint | **mintmark** | 10.0 ns |  | 12.0 ns |  | 32 B |
      |  | slow | 1,000.0 ns | 100.0x | 12.0 ns | 1.0x | 80 B |
      """;

  private static Stream<Map.Entry<String, Function<String, BenchmarkChart>>> charts() {
    return Stream.of(
        Map.entry("docs/benchmarks", BenchmarkChart::ofOperations),
        Map.entry("docs/benchmarks-pools", BenchmarkChart::ofPools),
        Map.entry("docs/benchmarks-sql", BenchmarkChart::ofSql));
  }

  @ParameterizedTest
  @MethodSource("charts")
  void theChartIsThatOfItsPage(Map.Entry<String, Function<String, BenchmarkChart>> chart)
      throws IOException {
    Path page = Checkout.root().resolve(chart.getKey() + ".md");
    Path picture = BenchmarkChart.beside(page);
    String drawn = chart.getValue().apply(Files.readString(page)).svg();

    if ("write".equals(System.getProperty("mintmark.golden"))) {
      Files.writeString(picture, drawn);
    }
    assertThat(picture)
        .as("draw it anew with -Dmintmark.golden=write")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(drawn);
    assertThat(page).content(StandardCharsets.UTF_8).contains("](" + picture.getFileName() + ")");
  }

  @Test
  void everyRowOfAnotherLibraryIsABarAlsoWhereItIsQuicker() {
    assertThat(BenchmarkChart.ofOperations(OPERATIONS).bars())
        .containsExactly(
            new Bar("Parse", "slow", 2.5),
            new Bar("Parse", "quick", 0.5),
            new Bar("Mint", "slow", 100));
  }

  @Test
  void thePictureIsXmlWithANameAndTheMachine() throws Exception {
    String svg = BenchmarkChart.ofOperations(OPERATIONS).svg();

    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo("Time of one operation, as a multiple of Mintmark's, one thread");
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(3);
    assertThat(svg).contains("2026-01-02, JDK 17, a &amp; b, 2 processors", ">100x<", ">0.5x<");
  }

  @Test
  void twiceAsLongAndHalfAsLongHaveBarsOfTheSameLength() {
    String svg = BenchmarkChart.ofOperations(OPERATIONS.replace("2.5x", "2.0x")).svg();

    assertThat(
            svg.lines()
                .filter(line -> line.startsWith("<rect"))
                .map(BenchmarkChartTest::width)
                .limit(2)
                .distinct())
        .hasSize(1);
  }

  private static String width(String rect) {
    return rect.replaceFirst(".* width=\"([0-9.]+)\".*", "$1");
  }
}
