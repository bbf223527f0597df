package dev.mintmark.app.cli.id;

import dev.mintmark.Kind;
import dev.mintmark.Scheme;
import dev.mintmark.app.service.choice.Comparison;
import dev.mintmark.app.service.choice.Recommendation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/** A comparison as people read it on a terminal. */
record ComparisonText(Comparison comparison, Ansi ansi) {
  private static final int WIDTH = 80;

  private static final String HEADING =
      """
                            time random                   text
        kind                bits   bits  order     bytes chars  until          odds that two are equal
      """;

  void printRecommendation(PrintWriter out) {
    Recommendation recommendation = comparison.recommendation();
    out.println(bold(recommendation.choice().take()));
    recommendation.kind().map(Kind::label).ifPresent(kind -> field(out, "kind", kind));
    recommendation.storage().ifPresent(storage -> field(out, "stored as", storage));
    field(out, "shown", recommendation.face().text());
    field(out, "minted by", recommendation.mint());
    section(out, "Why", recommendation.reasons());
    section(out, "What it costs", recommendation.costs());
    section(out, "Not met", recommendation.unmet());
    section(
        out,
        "Runner-up",
        recommendation.runnerUp().stream()
            .map(next -> "%s, if %s.".formatted(next.choice().take(), next.when()))
            .toList());
    recommendation.catalog().ifPresent(catalog -> source(out, "mintmark.yaml", catalog));
    source(out, "SQL", recommendation.sql());
  }

  private static void field(PrintWriter out, String name, String value) {
    out.println("  %-10s %s".formatted(name, value));
  }

  private void section(PrintWriter out, String title, List<String> sentences) {
    if (sentences.isEmpty()) {
      return;
    }
    out.println();
    out.println(bold(title));
    for (String sentence : sentences) {
      String first = "- ";
      for (String line : wrapped(sentence)) {
        out.println("  " + first + line);
        first = "  ";
      }
    }
  }

  /** Prints lines without an indent, so that they can be copied. */
  private void source(PrintWriter out, String title, String lines) {
    out.println();
    out.println(bold(title));
    out.print(lines);
  }

  private static List<String> wrapped(String sentence) {
    int width = WIDTH - "  - ".length();
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : sentence.split(" ", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * Prints a line for each scheme.
   *
   * @param all whether historic ones are printed too; the recommended one always is
   */
  void printTable(PrintWriter out, boolean all) {
    HEADING.lines().forEach(line -> out.println(bold(line)));
    for (Comparison.Row row : comparison.rows()) {
      if (all || !row.isHistoric() || row.isRecommended()) {
        String line = line(row).stripTrailing();
        out.println(row.isRecommended() ? bold(line) : line);
      }
    }
  }

  private static String line(Comparison.Row row) {
    Scheme scheme = row.scheme();
    return "%s %-19s %4s %6s  %-9s %5s %5s  %-13s  %s"
        .formatted(
            row.isRecommended() ? "*" : " ",
            scheme.label(),
            bits(scheme.timeBits()),
            bits(scheme.randomBits()),
            row.order(),
            scheme.bytes(),
            scheme.characters(),
            row.until().map(ComparisonText::shortened).orElse("-"),
            row.load().collision(scheme));
  }

  private static String shortened(String until) {
    return until.replace("minutes", "min").replace("days", "d").replace("years", "y");
  }

  void printLegend(PrintWriter out, boolean all) {
    out.printf(
        """
        * marks the recommended kind%s
        random bits     drawn anew for each id: the effort to guess an id from another one
        bytes, text     size without the overhead of the column, length without a prefix
        odds            that two of %s are equal, each from a mint
                        of its own (one mint of an ascending kind never repeats an id); none if node
                        numbers or a single counter make ids unique
        """,
        all ? "" : "; --all lists those for data that already has them",
        comparison.answers().load().text());
  }

  private static String bits(int bits) {
    return bits == 0 ? "-" : String.valueOf(bits);
  }

  private String bold(String text) {
    return ansi.string("@|bold " + text + "|@");
  }
}
