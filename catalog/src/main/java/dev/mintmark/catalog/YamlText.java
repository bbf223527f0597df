package dev.mintmark.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A value in the text of a catalog: on one line if it fits, otherwise one key or value per line.
 */
sealed interface YamlText {
  /** Maximum length of a line, in characters. */
  int LINE_LENGTH_MAX = 110;

  /** A key of a mapping, its value, and the lines of the comment above it, if any. */
  record Entry(String key, YamlText value, List<String> comment) {
    Entry(String key, YamlText value) {
      this(key, value, List.of());
    }
  }

  /** A scalar in YAML syntax. */
  record Scalar(String yaml) implements YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    /** Words that some YAML readers do not read as text. */
    private static final Set<String> WORDS =
        Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    /**
     * Returns a scalar that every YAML reader reads as {@code text}: in quotes unless it is a plain
     * word.
     */
    static Scalar text(String text) {
      boolean plain =
          PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
      return new Scalar(plain ? text : quoted(text));
    }

    private static String quoted(String text) {
      StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
      text.codePoints()
          .forEach(
              c -> {
                if (c == '"' || c == '\\') {
                  quoted.append('\\').appendCodePoint(c);
                } else if (isPrintable(c)) {
                  quoted.appendCodePoint(c);
                } else {
                  quoted.append((c > 0xFFFF ? "\\U%08X" : "\\u%04X").formatted(c));
                }
              });
      return quoted.append('"').toString();
    }

    @Override
    public String onOneLine() {
      return yaml;
    }
  }

  /** A list. */
  record Items(List<? extends YamlText> items) implements YamlText {
    @Override
    public String onOneLine() {
      return items.stream().map(YamlText::onOneLine).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  /** A mapping. */
  record Mapping(List<Entry> entries) implements YamlText {
    @Override
    public String onOneLine() {
      return entries.isEmpty()
          ? "{}"
          : entries.stream()
              .map(entry -> key(entry) + " " + entry.value().onOneLine())
              .collect(Collectors.joining(", ", "{ ", " }"));
    }

    /** Writes one entry per line. An entry that does not fit on a line takes several. */
    void write(StringBuilder out, String indent) {
      for (Entry entry : entries) {
        comment(out, indent, entry.comment());
        String start = indent + key(entry);
        out.append(start);
        String line = entry.value().onOneLine();
        if (start.length() + 1 + line.length() <= LINE_LENGTH_MAX && !hasComments(entry.value())) {
          out.append(' ').append(line).append('\n');
        } else {
          writeBelow(out, indent + "  ", entry.value());
        }
      }
    }

    private static void writeBelow(StringBuilder out, String indent, YamlText value) {
      if (value instanceof Mapping mapping) {
        mapping.write(out.append('\n'), indent);
      } else if (value instanceof Items list) {
        out.append('\n');
        list.items()
            .forEach(item -> out.append(indent).append("- ").append(item.onOneLine()).append('\n'));
      } else {
        out.append(' ').append(value.onOneLine()).append('\n');
      }
    }

    private static boolean hasComments(YamlText value) {
      return value instanceof Mapping mapping
          && mapping.entries.stream()
              .anyMatch(entry -> !entry.comment().isEmpty() || hasComments(entry.value()));
    }

    private static String key(Entry entry) {
      return Scalar.text(entry.key()).yaml() + ":";
    }
  }

  /** Returns the value in flow style. */
  String onOneLine();

  /** Writes the lines of a comment. A character that is not printable becomes a question mark. */
  static void comment(StringBuilder out, String indent, List<String> comment) {
    comment.stream()
        .flatMap(lines -> lines.isEmpty() ? Stream.of("") : lines.lines())
        .forEach(
            line -> {
              StringBuilder text = new StringBuilder(indent).append("# ");
              line.codePoints().forEach(c -> text.appendCodePoint(isPrintable(c) ? c : '?'));
              out.append(text.toString().stripTrailing()).append('\n');
            });
  }

  /**
   * Returns whether YAML 1.2 section 5.1 calls a character printable, with the exception of line
   * separators, format characters and unassigned code points.
   */
  private static boolean isPrintable(int c) {
    return c == ' '
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.SURROGATE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.UNASSIGNED,
              Character.FORMAT ->
              false;
          default -> true;
        };
  }
}
