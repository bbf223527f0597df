package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.Conformance.Surface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The table of docs/conformance.md has the surfaces that the tests of all modules compared in this
 * build, after which this runs, with their vectors, and no more random values than they compared.
 * {@code -Dmintmark.write=conformance} writes the table.
 */
@Tag("matrix")
final class ConformancePageCheck {
  private static final Path PAGE = Checkout.root().resolve("docs/conformance.md");
  private static final Pattern TABLE = Pattern.compile("(?m)(^\\|.*\\n)+");

  /** Random values of a cell: a build may compare more than the page says. */
  private static final Pattern VALUES = Pattern.compile(" \\+ ([0-9,]+)");

  /** The machine has it, not the build. */
  private static final Pattern NODE_VERSION = Pattern.compile("Node\\.js \\d+");

  /** The vectors that tests of core read one by one, as its reports have them. */
  private static final Map<Operation, List<String>> OF_CORE =
      Map.of(
          Operation.PARSE, List.of("FormTest#readableFormsOfTheVectorsReadBack"),
          Operation.SEQUENCE, List.of("SequenceIdTest#vectorIsReadStrictlyAsItSays"),
          Operation.TYPEID, List.of("TypeIdTest#vectorIsReadAsItSays"),
          Operation.PURI,
              List.of(
                  "PuriTest#vectorIsReadAsItSays",
                  "PuriTest#malformedVectorIsRefusedWithItsReason"),
          Operation.MASK,
              List.of("MaskTest#vectorsShowAndOpen", "MaskTest#vectorsThatAreNoFaceAreRefused"));

  /** The numbers of a cell. */
  private record Compared(long vectors, long values) {
    Compared and(JsonNode line) {
      return new Compared(line.path("vectors").asLong(vectors), line.path("values").asLong(values));
    }

    @Override
    public String toString() {
      return values == 0
          ? "%,d".formatted(vectors)
          : String.format(Locale.ROOT, "%,d + %,d", vectors, values);
    }
  }

  private final Map<Surface, String> versions = new EnumMap<>(Surface.class);
  private final Map<Surface, Map<Operation, Compared>> compared = new EnumMap<>(Surface.class);

  @Test
  void tableIsWhatTheTestsOfThisBuildCompared() throws IOException {
    readRecords();
    addReportsOfCore();
    String page = Files.readString(PAGE);
    if (System.getProperty("mintmark.write", "").equals("conformance")) {
      page = TABLE.matcher(page).replaceFirst(table().replace("$", "\\$"));
      Files.writeString(PAGE, page);
    }

    List<String> built = comparable(table().lines());
    List<String> shown = shownBy(page);
    assertThat(shown.stream().map(row -> VALUES.matcher(row).replaceAll("")))
        .isEqualTo(built.stream().map(row -> VALUES.matcher(row).replaceAll("")).toList());
    for (int i = 0; i < shown.size(); i++) {
      List<Long> ofBuild = values(built.get(i));
      List<Long> ofPage = values(shown.get(i));
      assertThat(ofBuild).as(built.get(i)).hasSameSizeAs(ofPage);
      for (int j = 0; j < ofPage.size(); j++) {
        assertThat(ofBuild.get(j)).as(shown.get(i)).isGreaterThanOrEqualTo(ofPage.get(j));
      }
    }
  }

  /** The numbers of random values in a row. */
  private static List<Long> values(String row) {
    return VALUES
        .matcher(row)
        .results()
        .map(match -> Long.parseLong(match.group(1).replace(",", "")))
        .toList();
  }

  /** Rows of Node.js are not compared on a machine without it, where their tests are skipped. */
  private List<String> shownBy(String page) {
    var table = TABLE.matcher(page);
    assertThat(table.find()).as("a table in %s", PAGE).isTrue();
    boolean hasNode = versions.containsKey(Surface.BIGQUERY_IN_NODE);
    return comparable(table.group().lines().filter(row -> hasNode || !row.contains("Node.js")));
  }

  private static List<String> comparable(Stream<String> rows) {
    return rows.map(row -> NODE_VERSION.matcher(row).replaceAll("Node.js")).toList();
  }

  private void readRecords() throws IOException {
    for (Path file : records()) {
      JsonNode line = JsonMapper.shared().readTree(Files.readString(file));
      Surface surface = Surface.valueOf(line.path("surface").stringValue());
      versions.put(surface, line.path("version").stringValue());
      compared
          .computeIfAbsent(surface, any -> new EnumMap<>(Operation.class))
          .compute(
              Operation.valueOf(line.path("operation").stringValue()),
              (operation, before) -> (before == null ? new Compared(0, 0) : before).and(line));
    }
    assertThat(compared).as("records of the tests of this build").isNotEmpty();
  }

  private static List<Path> records() throws IOException {
    List<Path> records = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Checkout.root())) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        Path directory = module.resolve("target/conformance");
        if (Files.isDirectory(directory)) {
          try (Stream<Path> files = Files.list(directory)) {
            files.forEach(records::add);
          }
        }
      }
    }
    return records;
  }

  private void addReportsOfCore() throws IOException {
    Map<Operation, Compared> ofJava =
        compared.computeIfAbsent(Surface.JAVA, any -> new EnumMap<>(Operation.class));
    for (Map.Entry<Operation, List<String>> tests : OF_CORE.entrySet()) {
      long vectors = 0;
      for (String test : tests.getValue()) {
        vectors += passed(test);
      }
      long values = ofJava.getOrDefault(tests.getKey(), new Compared(0, 0)).values();
      ofJava.put(tests.getKey(), new Compared(vectors, values));
    }
  }

  /** A build whose tests fail does not get here. */
  private static long passed(String test) throws IOException {
    String[] names = test.split("#", 2);
    Path report =
        Checkout.root()
            .resolve("core/target/surefire-reports/TEST-dev.mintmark." + names[0] + ".xml");
    long passed =
        Pattern.compile("<testcase name=\"" + names[1] + "\\b")
            .matcher(Files.readString(report))
            .results()
            .count();
    assertThat(passed).as(test).isPositive();
    return passed;
  }

  private String table() {
    List<Operation> operations = List.of(Operation.values());
    StringBuilder table = new StringBuilder("| surface |");
    operations.forEach(operation -> table.append(" ").append(operation.label()).append(" |"));
    table.append("\n|---|").append("--:|".repeat(operations.size())).append("\n");
    compared.forEach(
        (surface, cells) ->
            table
                .append("| ")
                .append(name(surface))
                .append(" | ")
                .append(
                    operations.stream()
                        .map(
                            operation ->
                                cells.containsKey(operation) ? "" + cells.get(operation) : "")
                        .collect(Collectors.joining(" | ")))
                .append(" |\n"));
    return table.toString();
  }

  private String name(Surface surface) {
    String version = versions.getOrDefault(surface, "");
    return version.isEmpty() ? surface.label() : surface.label() + ", " + version;
  }
}
