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
 * a backslash.
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
      if (!part.isBlank()) {
        Label label = Label.parse("label", part.strip());
        if (labels.put(label.key(), label.value()) != null) {
          throw new IllegalArgumentException("the label \"" + label.key() + "\" is there twice");
        }
      }
    }
    return labels;
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace(";", "\\;");
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ';') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        boolean isEscape = c == '\\' && i + 1 < text.length();
        part.append(isEscape ? text.charAt(++i) : c);
      }
    }
    parts.add(part.toString());
    return parts;
  }
}
