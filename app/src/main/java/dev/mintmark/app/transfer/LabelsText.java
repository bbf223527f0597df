package dev.mintmark.app.transfer;

import dev.mintmark.app.service.LabelCriterion.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Labels in one field: {@code rack:b7;env:prod}. A semicolon or backslash in a key or value follows
 * a backslash, and so does white space at the beginning or end of a label, which is left out else.
 */
final class LabelsText {
  private LabelsText() {}

  static String format(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> escape(label.getKey() + ":" + label.getValue()))
        .collect(Collectors.joining(";"));
  }

  /**
   * Reads labels.
   *
   * @throws IllegalArgumentException if one has no colon, or a key is there twice
   */
  static SortedMap<String, String> parse(String text) {
    SortedMap<String, String> labels = new TreeMap<>();
    for (String part : split(text)) {
      if (!part.isEmpty()) {
        Label label = Label.parse("label", part);
        if (labels.put(label.key(), label.value()) != null) {
          throw new IllegalArgumentException("the label \"" + label.key() + "\" is there twice");
        }
      }
    }
    return labels;
  }

  private static String escape(String text) {
    String escaped = text.replace("\\", "\\\\").replace(";", "\\;");
    int last = escaped.length() - 1;
    if (Character.isWhitespace(escaped.charAt(last))) {
      escaped = escaped.substring(0, last) + "\\" + escaped.charAt(last);
    }
    return Character.isWhitespace(escaped.charAt(0)) ? "\\" + escaped : escaped;
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int length = 0; // Without white space at the end.
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ';') {
        parts.add(part.substring(0, length));
        part.setLength(0);
        length = 0;
        continue;
      }
      boolean isEscape = c == '\\' && i + 1 < text.length();
      boolean isSpace = !isEscape && Character.isWhitespace(c);
      if (!isSpace || !part.isEmpty()) {
        part.append(isEscape ? text.charAt(++i) : c);
      }
      length = isSpace ? length : part.length();
    }
    parts.add(part.substring(0, length));
    return parts;
  }
}
