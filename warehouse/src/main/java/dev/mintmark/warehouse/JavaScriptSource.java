package dev.mintmark.warehouse;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A file of JavaScript definitions. Each is a {@code function} or a {@code const} at the start of a
 * line, with its comment before it and an empty line after it. For engines whose functions cannot
 * share code, each function gets the definitions that it uses.
 */
final class JavaScriptSource {
  private static final Pattern DEFINITION =
      Pattern.compile("^(?:function|const) (?<name>\\w+)", Pattern.MULTILINE);

  private static final Pattern COMMENT =
      Pattern.compile("^ *(?://|/\\*\\*|\\*)[^\n]*", Pattern.MULTILINE);

  private static final Pattern WORD = Pattern.compile("\\w+");

  /** The definitions by their names, in the order of the file. */
  private final Map<String, String> definitions = new LinkedHashMap<>();

  JavaScriptSource(String text) {
    for (String part : text.strip().split("\n\n", -1)) {
      Matcher definition = DEFINITION.matcher(part);
      if (definition.find()) {
        definitions.put(definition.group("name"), part);
      }
    }
  }

  /**
   * Returns a definition with all definitions that it uses, in the order of the file.
   *
   * @throws IllegalArgumentException if there is no definition of that name
   */
  String closure(String name) {
    if (!definitions.containsKey(name)) {
      throw new IllegalArgumentException("no definition of " + name);
    }
    Set<String> used = new HashSet<>();
    collect(name, used);
    return definitions.entrySet().stream()
        .filter(definition -> used.contains(definition.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining("\n"));
  }

  private void collect(String name, Set<String> used) {
    String code = definitions.get(name);
    if (code != null && used.add(name)) {
      String withoutComments = COMMENT.matcher(code).replaceAll("");
      WORD.matcher(withoutComments)
          .results()
          .map(MatchResult::group)
          .forEach(word -> collect(word, used));
    }
  }
}
