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
 * A file of JavaScript definitions, each a {@code function} or a {@code const} that starts a line,
 * with its comment before it and an empty line behind. Engines whose functions cannot share code
 * are given of it what one of them uses.
 */
final class JavaScriptSource {
  private static final Pattern DEFINITION =
      Pattern.compile("^(?:function|const) (?<name>\\w+)", Pattern.MULTILINE);

  private static final Pattern COMMENT =
      Pattern.compile("^ *(?://|/\\*\\*|\\*)[^\n]*", Pattern.MULTILINE);

  private static final Pattern WORD = Pattern.compile("\\w+");

  /** By their names, in the order in which they stand there. */
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
   * A definition with all that it uses, in the order of the file.
   *
   * @throws IllegalArgumentException if there is none of that name
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
