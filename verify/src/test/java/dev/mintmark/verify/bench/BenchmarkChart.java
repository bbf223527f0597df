package dev.mintmark.verify.bench;

import dev.mintmark.verify.bench.BenchmarkPage.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The chart of a page, as SVG: for each row of its tables a bar that says how many times as long it
 * takes as what it is compared with. The scale is logarithmic, because ratios are: twice as long
 * and half as long have bars of the same length, to the right and to the left.
 */
final class BenchmarkChart {
  private static final String OURS = "mintmark";

  private static final int WIDTH = 760;
  private static final int LABELS = 250;
  private static final int ROW = 18;
  private static final int TOP = 64;
  private static final int BOTTOM = 44;

  private static final int TICKS_MAX = 8;

  /** Space to the right of the longest bar, for its figure. */
  private static final int FIGURE = 52;

  /** For light and dark pages; a document that shows the picture cannot style it. */
  private static final String STYLE =
      """
      <style>
        text { font: 12px system-ui, sans-serif; fill: #1f2328; }
        .title { font-size: 15px; font-weight: 600; }
        .note { fill: #59636e; }
        .group { font-weight: 600; }
        .line { stroke: #d1d9e0; }
        .one { stroke: #1f2328; }
        .theirs { fill: #8c6bb1; }
        .ours { fill: #1a7f5a; }
        @media (prefers-color-scheme: dark) {
          text { fill: #f0f6fc; }
          .note { fill: #9198a1; }
          .line { stroke: #3d444d; }
          .one { stroke: #f0f6fc; }
          .theirs { fill: #b392d6; }
          .ours { fill: #3fb68b; }
        }
      </style>
      """;

  private final String title;
  private final String note;
  private final List<Bar> bars;

  /**
   * @param group what is done; bars of one group stand together
   * @param name who does it
   * @param ratio how many times as long it takes as what it is compared with
   */
  record Bar(String group, String name, double ratio) {
    boolean isOurs() {
      return name.equals(OURS) || name.startsWith(OURS + ".");
    }
  }

  private BenchmarkChart(String title, String note, List<Bar> bars) {
    this.title = title;
    this.note = note;
    this.bars = bars;
  }

  /** Of the page of operations: every other library beside Mintmark, with one thread. */
  static BenchmarkChart ofOperations(String page) {
    List<Bar> bars = new ArrayList<>();
    String operation = "";
    for (Map<String, Object> row : BenchmarkPage.tables(page).get(0).rows()) {
      String named = String.valueOf(row.get("operation"));
      operation = named.isEmpty() ? operation : named;
      OptionalDouble ratio = number(row, "column 4, x");
      if (ratio.isPresent()) {
        bars.add(new Bar(operation, String.valueOf(row.get("column 2")), ratio.getAsDouble()));
      }
    }
    return new BenchmarkChart(
        "Time of one operation, as a multiple of Mintmark's, one thread", machine(page), bars);
  }

  /** Of the page of pools: the article's query beside Mintmark, by claims in a second. */
  static BenchmarkChart ofPools(String page) {
    List<Bar> bars = new ArrayList<>();
    for (Table table : BenchmarkPage.tables(page)) {
      OptionalDouble ours =
          table.rows().stream()
              .filter(row -> OURS.equals(row.get("column 1")))
              .map(row -> number(row, "claims/s"))
              .flatMapToDouble(OptionalDouble::stream)
              .findFirst();
      if (ours.isEmpty()) {
        continue;
      }
      for (Map<String, Object> row : table.rows()) {
        OptionalDouble theirs = number(row, "claims/s");
        if (theirs.isPresent() && !OURS.equals(row.get("column 1"))) {
          bars.add(
              new Bar(
                  table.section(),
                  String.valueOf(row.get("column 1")),
                  ours.getAsDouble() / theirs.getAsDouble()));
        }
      }
    }
    return new BenchmarkChart(
        "Time of one claim, as a multiple of Mintmark's, of all clients together",
        machine(page),
        bars);
  }

  /** Of the page of the SQL pack: every function beside {@code gen_random_uuid()}. */
  static BenchmarkChart ofSql(String page) {
    String newest = page.substring(page.lastIndexOf("## PostgreSQL "));
    List<Bar> bars = new ArrayList<>();
    for (Table table : BenchmarkPage.tables(newest)) {
      for (Map<String, Object> row : table.rows()) {
        String name = String.valueOf(row.get("column 1")).replace("`", "");
        OptionalDouble ratio = number(row, "processor");
        if (ratio.isPresent()) {
          bars.add(new Bar(table.section(), name, ratio.getAsDouble()));
        }
      }
    }
    return new BenchmarkChart(
        "Processor time, as a multiple of that of gen_random_uuid()",
        (newest.lines().findFirst().orElseThrow().replaceFirst("#+ *", "") + ", " + machine(page))
            .replaceFirst(", $", ""),
        bars);
  }

  private static OptionalDouble number(Map<String, Object> row, String column) {
    return row.get(column) instanceof Double value
        ? OptionalDouble.of(value)
        : OptionalDouble.empty();
  }

  /** The line of the page that begins with a date. */
  private static String machine(String page) {
    return page.lines()
        .filter(line -> line.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}.*"))
        .findFirst()
        .orElse("");
  }

  List<Bar> bars() {
    return bars;
  }

  /** Writes the picture beside a page, {@code page.svg} for {@code page.md}; not without bars. */
  void write(Path page) throws IOException {
    if (Files.isRegularFile(page) && !bars.isEmpty()) {
      Files.writeString(beside(page), svg());
    }
  }

  /** The file of the picture of a page. */
  static Path beside(Path page) {
    return page.resolveSibling(
        String.valueOf(page.getFileName()).replaceFirst("([.]md)?$", ".svg"));
  }

  String svg() {
    double least = Math.min(0.5, bars.stream().mapToDouble(Bar::ratio).min().orElseThrow());
    double most = Math.max(2, bars.stream().mapToDouble(Bar::ratio).max().orElseThrow());
    Scale scale = new Scale(Math.log(least), Math.log(most));
    long groups = bars.stream().map(Bar::group).distinct().count();
    long height = TOP + (bars.size() + groups) * ROW + BOTTOM;
    StringBuilder svg = new StringBuilder();
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\""
                + " aria-labelledby=\"title\">%n<title id=\"title\">%s</title>%n")
            .formatted(WIDTH, height, WIDTH, escaped(title)));
    svg.append(STYLE);
    text(svg, 8, 22, "title", title);
    text(svg, 8, 42, "note", "to the right: takes longer");
    double step = 2;
    while (Math.log(most / least) / Math.log(step) > TICKS_MAX) {
      step *= 2;
    }
    for (double tick = 1; tick <= most; tick *= step) {
      tick(svg, scale, tick, height);
    }
    for (double tick = 1 / step; tick >= least; tick /= step) {
      tick(svg, scale, tick, height);
    }
    int y = TOP;
    String group = "";
    for (Bar bar : bars) {
      if (!bar.group().equals(group)) {
        group = bar.group();
        text(svg, 8, y + 13, "group", group);
        y += ROW;
      }
      bar(svg, scale, bar, y);
      y += ROW;
    }
    text(svg, 8, height - 10, "note", note);
    return svg.append("</svg>\n").toString();
  }

  private static void tick(StringBuilder svg, Scale scale, double ratio, long height) {
    double x = scale.x(ratio);
    svg.append(
        format(
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
            ratio == 1 ? "one" : "line", x, TOP - 4, x, height - BOTTOM + 4));
    svg.append(
        format(
            "<text class=\"note\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
            x, TOP - 8, figure(ratio)));
  }

  private static void bar(StringBuilder svg, Scale scale, Bar bar, int y) {
    double one = scale.x(1);
    double end = scale.x(bar.ratio());
    text(svg, 24, y + 13, "", bar.name());
    svg.append(
        format(
            "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"/>%n",
            bar.isOurs() ? "ours" : "theirs",
            Math.min(one, end),
            y + 3,
            Math.max(1, Math.abs(end - one))));
    svg.append(
        format(
            "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
            Math.max(one, end) + 5, y + 13, figure(bar.ratio())));
  }

  private static void text(StringBuilder svg, int x, long y, String style, String text) {
    svg.append(
        "<text%s x=\"%d\" y=\"%d\">%s</text>%n"
            .formatted(style.isEmpty() ? "" : " class=\"" + style + "\"", x, y, escaped(text)));
  }

  private static String figure(double ratio) {
    return ratio >= 10
        ? format("%,.0fx", ratio)
        : format("%.2f", ratio).replaceFirst("[.]?0+$", "") + "x";
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** From the logarithms of the least and the greatest ratio to the width of the picture. */
  private record Scale(double least, double most) {
    double x(double ratio) {
      return LABELS + (Math.log(ratio) - least) / (most - least) * (WIDTH - LABELS - FIGURE);
    }
  }
}
