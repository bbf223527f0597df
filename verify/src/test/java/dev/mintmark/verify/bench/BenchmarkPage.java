package dev.mintmark.verify.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The page of a benchmark, and beside it the figures of its tables, to compare machines. */
final class BenchmarkPage {
  private static final Pattern FIGURE =
      Pattern.compile("(?<number>-?[0-9,]+([.][0-9]+)?)( ?(?<unit>ns|us|ms|s|x|%|MiB|MB|kB))?");

  private BenchmarkPage() {}

  /**
   * The contents of the JSON.
   *
   * @param date in UTC
   */
  record Figures(String date, Machine machine, List<Table> tables) {}

  record Machine(int processors, String architecture, String system, String java) {
    static Machine here() {
      return new Machine(
          Runtime.getRuntime().availableProcessors(),
          System.getProperty("os.arch"),
          System.getProperty("os.name"),
          System.getProperty("java.version"));
    }
  }

  /**
   * A table of the page.
   *
   * @param section the heading above it
   * @param rows each by column: figures as numbers, with their unit after the name of the column,
   *     and everything else as text
   */
  record Table(String section, List<Map<String, Object>> rows) {}

  /** The line that says when and where a page was measured. */
  static String measured() {
    return "%s, JDK %s, %s, %d processors%n"
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            System.getProperty("java.version"),
            processor(),
            Runtime.getRuntime().availableProcessors());
  }

  /** Linux tells; elsewhere the architecture has to do. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /** Writes {@code FILE} and {@code FILE.json}; the latter only if the first is a regular file. */
  static void write(Path file, CharSequence page) throws IOException {
    Files.writeString(file, page);
    if (Files.isRegularFile(file)) {
      JsonMapper.shared()
          .writerWithDefaultPrettyPrinter()
          .writeValue(
              Path.of(file + ".json"),
              new Figures(
                  LocalDate.now(ZoneOffset.UTC).toString(),
                  Machine.here(),
                  tables(page.toString())));
    }
  }

  static List<Table> tables(String page) {
    List<Table> tables = new ArrayList<>();
    String section = "";
    List<String> columns = List.of();
    for (String line : page.lines().toList()) {
      if (line.startsWith("#")) {
        section = line.replaceFirst("#+ *", "");
      }
      if (!line.startsWith("|")) {
        columns = List.of();
      } else if (columns.isEmpty()) {
        columns = cells(line);
        tables.add(new Table(section, new ArrayList<>()));
      } else if (!line.matches("[|:-]+")) {
        tables.get(tables.size() - 1).rows().add(row(columns, cells(line)));
      }
    }
    return tables;
  }

  private static Map<String, Object> row(List<String> columns, List<String> cells) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      String column = i < columns.size() ? columns.get(i) : "";
      put(row, column.isEmpty() ? "column " + (i + 1) : column, cells.get(i));
    }
    return row;
  }

  private static void put(Map<String, Object> row, String column, String cell) {
    Matcher figure = FIGURE.matcher(cell);
    if (!figure.matches()) {
      row.put(column, cell);
      return;
    }
    String unit = figure.group("unit");
    row.put(
        unit == null ? column : column + ", " + unit,
        Double.valueOf(figure.group("number").replace(",", "")));
  }

  private static List<String> cells(String line) {
    String inner = line.strip().replaceFirst("^[|]", "").replaceFirst("[|]$", "");
    return Stream.of(inner.split("[|]", -1)).map(cell -> cell.strip().replace("**", "")).toList();
  }
}
